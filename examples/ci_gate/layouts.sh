# The layouts of the project. The kernels of a real one would read the same definitions.
a_tile='(64,32):(1,64)'            # column-major
a_thr='(16,2):(1,16)'              # 32 threads, 16 of them along the mode of stride 1
a_val='(4,1)'                      # of each thread: four floats, one 128-bit access
b_tile='Sw<5,0,5> o 0 o (32,32):(32,1)'
out_src='(512,256):(256,1)'
out_dst='(512,256):(1,512)'
