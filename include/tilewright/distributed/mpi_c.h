/* Redistribution over MPI from C. */
#pragma once

#include <stddef.h>

/* Without an MPI on the include path there is nothing to declare. */
#if __has_include(<mpi.h>)
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Collective over `comm`. `from` and `to` are distributed layouts as text, such as "distribute((8,8),2,S0)"; `element` is "f32"
   or another name of an element type; `src` and `dst` are the rank's memory. Returns 0, or the code of a copy_error (copy_errc), the
   same on every rank; the sentence is written to `message` if that is not null, at most message_bytes with the final 0. */
int tw_mpi_redistribute(void const* src, char const* from, void* dst, char const* to, char const* element,
                        MPI_Comm comm, char* message, size_t message_bytes);

#ifdef __cplusplus
}
#endif

#endif
