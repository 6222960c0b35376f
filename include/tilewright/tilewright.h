/* Tilewright for C and every language that calls C: tensors move from any layout to any layout, planned for the machine
   that holds them.

   Every function that can fail returns a tw_error, TW_OK or what went wrong; tw_last_error() is the sentence to it. No
   exception leaves the library, and a null pointer where none may be is TW_BAD_OPTION. Handles (tw_layout, tw_plan) are
   values: nothing of the library changes one once it is made, so threads may share it; the creator destroys it.
   Structures begin with their size, so that a program keeps working with a later library: fill in sizeof and set what
   you do not use to zero. Numbers of enumerations have fixed widths and keep their meaning.

     float a[64 * 32], b[64 * 32];
     tw_layout *rows = NULL, *columns = NULL;
     tw_layout_parse("(64,32):(32,1)", &rows);
     tw_layout_parse("(64,32):(1,64)", &columns);
     tw_tensor src = {.size = sizeof src, .data = a, .layout = rows, .element = TW_F32};
     tw_tensor dst = {.size = sizeof dst, .data = b, .layout = columns, .element = TW_F32};
     if (tw_copy(&src, &dst, NULL) != TW_OK) puts(tw_last_error());                                                  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* --- versions and errors ----------------------------------------------------------------------------------------- */

/* Counts up when a program made for an earlier number would no longer work; part of the library's file name. */
enum { TW_ABI_VERSION = 1 };

/* The TW_ABI_VERSION of the library that is loaded. */
int32_t tw_abi_version(void);

/* "0.2.0": the version of the library that is loaded. */
char const* tw_version(void);

typedef int32_t tw_error;
enum {
  TW_OK = 0,
  TW_BAD_LAYOUT = 1,       /* no layout, or one whose offsets do not fit 64 bits */
  TW_DIFFERENT_SHAPES = 2, /* the two layouts do not map the same coordinates */
  TW_WRITES_TWICE = 3,     /* two coordinates share an element of the destination */
  TW_BAD_ELEMENT = 4,      /* element types differ, or no such type */
  TW_BAD_POINTER = 5,      /* a null pointer to data, or less aligned than a plan was made for */
  TW_OVERLAPPING = 6,      /* source and destination share memory */
  TW_BAD_OPTION = 7,       /* a null argument, a structure of an unknown size, threads below zero, … */
  TW_NO_DEVICE = 8,        /* no such device, no driver, tensors on different devices */
  TW_DEVICE_FAILED = 9,    /* the driver or the run-time compiler reported an error */
  TW_OUT_OF_MEMORY = 10,
  TW_CANCELLED = 11, /* the progress function asked for it */
  TW_INTERNAL = 12
};

/* "writes_twice" and so on; "unknown" for a number that is not an error. */
char const* tw_error_name(tw_error code);

/* One sentence on the last call of this thread that failed; "" before the first. Valid until the next one fails. */
char const* tw_last_error(void);

/* --- element types ----------------------------------------------------------------------------------------------- */

typedef int32_t tw_element;
enum {
  TW_B4 = 0,
  TW_B8 = 1,
  TW_B16 = 2,
  TW_B32 = 3,
  TW_B64 = 4,
  TW_B128 = 5, /* bits without a meaning */
  TW_BOOL = 6,
  TW_I4 = 7,
  TW_I8 = 8,
  TW_I16 = 9,
  TW_I32 = 10,
  TW_I64 = 11,
  TW_U4 = 12,
  TW_U8 = 13,
  TW_U16 = 14,
  TW_U32 = 15,
  TW_U64 = 16,
  TW_F8 = 17,
  TW_F16 = 18,
  TW_BF16 = 19,
  TW_F32 = 20,
  TW_F64 = 21,
  TW_C64 = 22,
  TW_C128 = 23 /* complex */
};

/* The type of a name such as "f32", "float32", "bf16", "bool", "complex64". TW_BAD_ELEMENT */
tw_error tw_element_named(char const* name, tw_element* out);

/* The short name, "f32"; NULL for a number that is not a type. */
char const* tw_element_name(tw_element element);

/* 4, 8, 16, 32, 64 or 128; 0 for a number that is not a type. */
int32_t tw_element_bits(tw_element element);

/* --- layouts ----------------------------------------------------------------------------------------------------- */

typedef struct tw_layout tw_layout;

/* SHAPE:STRIDE as the field writes it, "(4,(2,3)):(1,(4,8))"; a shape alone gets compact strides, first mode fastest;
   "Sw<3,4,3> o 0 o (8,64):(64,1)" and "Sw<3,4,3> o (8,64):(64,1)" are swizzled. TW_BAD_LAYOUT, with the place. */
tw_error tw_layout_parse(char const* text, tw_layout** out);

/* `rank` extents and strides, in elements, as DLPack and NumPy hold them; without strides (NULL) the last axis is
   fastest. A rank of 0 is one element. At most 64 axes. TW_BAD_LAYOUT */
tw_error tw_layout_strided(int32_t rank, int64_t const* shape, int64_t const* strides, tw_layout** out);

/* The layout as text, owned by it; NULL after an error. */
char const* tw_layout_text(tw_layout const* layout);

/* The number of coordinates, and the number of elements that memory must have behind the lowest offset. TW_BAD_LAYOUT
   when they do not fit 63 bits. */
tw_error tw_layout_size(tw_layout const* layout, int64_t* out);
tw_error tw_layout_cosize(tw_layout const* layout, int64_t* out);

/* The offset of index 0 … size - 1, which counts through the coordinates with the first mode fastest. TW_BAD_OPTION */
tw_error tw_layout_offset(tw_layout const* layout, int64_t index, int64_t* out);

/* NULL is allowed. Tensors and plans made with the layout keep what they need of it only while they are used: a plan
   outlives its layouts, a tw_tensor does not. */
void tw_layout_destroy(tw_layout* layout);

/* --- tensors and copies ------------------------------------------------------------------------------------------ */

typedef int32_t tw_device;
enum { TW_CPU = 0, TW_CUDA = 1 };

typedef struct tw_tensor {
  size_t size;             /* sizeof(tw_tensor) */
  void* data;              /* where the layout's offset 0 is; a source is only read */
  tw_layout const* layout; /* in elements */
  tw_element element;
  tw_device device;
  int32_t ordinal; /* of a GPU, as the driver counts */
  int32_t reserved;
} tw_tensor;

enum {
  TW_OVERLAP_REFUSE = 0,
  TW_OVERLAP_THROUGH_TEMPORARY = 1 /* as if the whole source were read before the first element is written */
};

typedef struct tw_copy_options {
  size_t size;     /* sizeof(tw_copy_options) */
  int32_t threads; /* of the CPU; 0: all */
  int32_t overlap; /* TW_OVERLAP_REFUSE or TW_OVERLAP_THROUGH_TEMPORARY */
  void* stream;    /* a CUstream; the copy is ordered in it and not waited for. NULL: the default one, waited for */
  int32_t tune;    /* not 0: measure the best few candidates first and remember the fastest */
  int32_t reserved;
  /* Called now and then, by one thread at a time, with the bytes written so far and in all; 0 goes on, anything else
     stops the copy with TW_CANCELLED. NULL: no function. CPU only. */
  int32_t (*progress)(void* context, int64_t done, int64_t total);
  void* progress_context;
} tw_copy_options;

/* Every element of dst becomes that of src at the same coordinate; nothing else of dst's memory changes. Options may be
   NULL. */
tw_error tw_copy(tw_tensor const* src, tw_tensor const* dst, tw_copy_options const* options);

/* out: 1 where the plan by which tw_copy moves these tensors is final; 0 while its first runs still try others. For programs
   that time copies. */
tw_error tw_is_settled(tw_tensor const* src, tw_tensor const* dst, tw_copy_options const* options, int32_t* out);

/* --- plans ------------------------------------------------------------------------------------------------------- */

typedef struct tw_plan tw_plan;

/* The plan that tw_copy would run for these tensors; their data may be NULL, which means any multiple of 64. */
tw_error tw_plan_create(tw_tensor const* src, tw_tensor const* dst, tw_copy_options const* options, tw_plan** out);

/* A plan for a machine that need not be there, to look at: "cpu", "cpu-avx2", "sm_90", … TW_BAD_OPTION */
tw_error tw_plan_create_for(tw_layout const* src, tw_layout const* dst, tw_element element, char const* machine,
                            tw_plan** out);

/* The plan in a few lines with its reasons, and as a JSON object; both owned by the plan, NULL after an error. */
char const* tw_plan_explain(tw_plan const* plan);
char const* tw_plan_json(tw_plan const* plan);

/* Runs the plan on data with the layouts of the planned tensors that shares no memory. TW_BAD_POINTER when it is less
   aligned than theirs, up to 64 bytes; TW_BAD_OPTION for a plan of tw_plan_create_for. */
tw_error tw_plan_run(tw_plan const* plan, void const* src, void* dst, tw_copy_options const* options);

/* NULL is allowed. */
void tw_plan_destroy(tw_plan* plan);

/* --- machines ---------------------------------------------------------------------------------------------------- */

typedef struct tw_machine {
  size_t size;    /* sizeof(tw_machine), set by the caller */
  char name[128]; /* "x86-64 with AVX-512, 2 threads"; cut where it is longer */
  tw_device device;
  int32_t processors;         /* cores or multiprocessors at work */
  int32_t widest_access_bits; /* of one load or store */
  int32_t line_bytes;         /* what memory hands out at once: a cache line, a sector */
  int64_t near_bytes;         /* per processor: first-level cache, or shared memory of a multiprocessor */
  int64_t block_bytes;        /* per processor: second-level cache, or most shared memory of a block */
  int64_t far_bytes;          /* shared by all: last-level cache */
  double bytes_per_second;    /* of a long copy, read and written bytes counted */
  double start_seconds;       /* to start a copy */
  int32_t compute_capability; /* of a GPU, 10 * major + minor */
  int32_t reserved;
} tw_machine;

/* What the planner knows of a device. `threads` as in tw_copy_options. TW_NO_DEVICE */
tw_error tw_machine_info(tw_device device, int32_t ordinal, int32_t threads, tw_machine* out);

/* The same of a machine with a name, as in tw_plan_create_for. TW_BAD_OPTION */
tw_error tw_machine_named(char const* name, tw_machine* out);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
