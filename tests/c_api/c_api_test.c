/* The C interface from C99: copies against loops written out, plans, machines, and every way to call it wrongly. Ends
   with 0 when all checks held, and else names those that did not. */
#include <tilewright/tilewright.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void check(int holds, const char *what, int line) {
  if (holds) return;
  ++failures;
  printf("line %d: %s does not hold; the last error is '%s'\n", line, what, tw_last_error());
}
#define CHECK(condition) check((condition) != 0, #condition, __LINE__)
#define REFUSED(call, code, words) \
  check((call) == (code) && strstr(tw_last_error(), words) != NULL, #call " is " #code ": " words, __LINE__)

static tw_layout *parsed(const char *text) {
  tw_layout *out = NULL;
  CHECK(tw_layout_parse(text, &out) == TW_OK && out != NULL);
  return out;
}

static tw_tensor tensor(void *data, const tw_layout *layout, tw_element element) {
  tw_tensor out = {0};
  out.size = sizeof out;
  out.data = data;
  out.layout = layout;
  out.element = element;
  return out;
}

static tw_copy_options options(void) {
  tw_copy_options out = {0};
  out.size = sizeof out;
  return out;
}

static void versions(void) {
  CHECK(tw_abi_version() == TW_ABI_VERSION);
  CHECK(strchr(tw_version(), '.') != NULL);
  CHECK(strcmp(tw_last_error(), "") == 0);
  CHECK(strcmp(tw_error_name(TW_OK), "ok") == 0);
  CHECK(strcmp(tw_error_name(TW_WRITES_TWICE), "writes_twice") == 0);
  CHECK(strcmp(tw_error_name(TW_INTERNAL), "internal") == 0);
  CHECK(strcmp(tw_error_name(-1), "unknown") == 0 && strcmp(tw_error_name(13), "unknown") == 0);
}

static void elements(void) {
  tw_element e = -1;
  CHECK(tw_element_named("float32", &e) == TW_OK && e == TW_F32);
  CHECK(tw_element_named("bf16", &e) == TW_OK && e == TW_BF16);
  for (e = TW_B4; e <= TW_C128; ++e) {
    tw_element back = -1;
    CHECK(tw_element_named(tw_element_name(e), &back) == TW_OK && back == e);
    CHECK(tw_element_bits(e) >= 4 && tw_element_bits(e) <= 128);
  }
  CHECK(tw_element_name(-1) == NULL && tw_element_name(TW_C128 + 1) == NULL);
  CHECK(tw_element_bits(-1) == 0 && tw_element_bits(99) == 0);
  REFUSED(tw_element_named("float", &e), TW_BAD_ELEMENT, "there is no element type 'float'");
  REFUSED(tw_element_named(NULL, &e), TW_BAD_OPTION, "name is a null pointer");
  REFUSED(tw_element_named("f32", NULL), TW_BAD_OPTION, "out is a null pointer");
}

static void layouts(void) {
  static const int64_t shape[] = {2, 3, 4}, strides[] = {1, -8, 2}, negative[] = {2, -3};
  static const int64_t huge[] = {INT64_C(1) << 40, INT64_C(1) << 40};
  tw_layout *a = parsed("(4,(2,3)):(1,(4,8))"), *b = NULL;
  int64_t n = -1;
  CHECK(strcmp(tw_layout_text(a), "(4,(2,3)):(1,(4,8))") == 0);
  CHECK(tw_layout_size(a, &n) == TW_OK && n == 24);
  CHECK(tw_layout_cosize(a, &n) == TW_OK && n == 24);
  CHECK(tw_layout_offset(a, 5, &n) == TW_OK && n == 5);
  REFUSED(tw_layout_offset(a, 24, &n), TW_BAD_OPTION, "the index 24 is outside of [0, 24)");
  REFUSED(tw_layout_offset(a, -1, &n), TW_BAD_OPTION, "the index -1");
  REFUSED(tw_layout_size(NULL, &n), TW_BAD_OPTION, "layout is a null pointer");
  REFUSED(tw_layout_size(a, NULL), TW_BAD_OPTION, "out is a null pointer");
  CHECK(tw_layout_text(NULL) == NULL && strstr(tw_last_error(), "null pointer") != NULL);
  tw_layout_destroy(a);

  CHECK(tw_layout_strided(3, shape, NULL, &a) == TW_OK);
  CHECK(strcmp(tw_layout_text(a), "(2,3,4):(12,4,1)") == 0);
  tw_layout_destroy(a);
  CHECK(tw_layout_strided(3, shape, strides, &a) == TW_OK);
  CHECK(strcmp(tw_layout_text(a), "(2,3,4):(1,-8,2)") == 0);
  CHECK(tw_layout_offset(a, 2, &n) == TW_OK && n == -8);
  tw_layout_destroy(a);
  CHECK(tw_layout_strided(0, NULL, NULL, &a) == TW_OK);
  CHECK(tw_layout_size(a, &n) == TW_OK && n == 1);
  tw_layout_destroy(a);

  a = parsed("Sw<3,3,3> o 0 o (8,64):(64,1)");
  b = parsed("Sw<3,3,3> o (8,64):(64,1)");
  CHECK(strcmp(tw_layout_text(a), "Sw<3,3,3> o 0 o (8,64):(64,1)") == 0);
  CHECK(strcmp(tw_layout_text(b), tw_layout_text(a)) == 0);
  CHECK(tw_layout_cosize(a, &n) == TW_OK && n == 512);
  CHECK(tw_layout_offset(a, 1, &n) == TW_OK && n == (64 ^ 8));
  tw_layout_destroy(a);
  tw_layout_destroy(b);
  a = parsed("Sw<2,1,3> o 16 o 8:1");
  CHECK(strcmp(tw_layout_text(a), "Sw<2,1,3> o 16 o 8:1") == 0);
  tw_layout_destroy(a);

  a = (tw_layout *)&n;
  REFUSED(tw_layout_parse("(4,8:(8,1)", &a), TW_BAD_LAYOUT, "found ':' at position 5, in '(4,8:(8,1)'");
  CHECK(a == NULL);
  REFUSED(tw_layout_parse("", &a), TW_BAD_LAYOUT, "found the end");
  REFUSED(tw_layout_parse("(M,8)", &a), TW_BAD_LAYOUT, "names are not known here");
  REFUSED(tw_layout_parse("(4,8):(1@0,1@1)", &a), TW_BAD_LAYOUT, "coordinates for offsets");
  REFUSED(tw_layout_parse("(4,_)", &a), TW_BAD_LAYOUT, "without '_'");
  REFUSED(tw_layout_parse("Sw<3,3,1> o 8:1", &a), TW_BAD_LAYOUT, "expected a swizzle");
  REFUSED(tw_layout_parse("Sw<3,3,3> 8:1", &a), TW_BAD_LAYOUT, "expected 'o'");
  REFUSED(tw_layout_parse("(4611686018427387904,4):(1,4611686018427387904)", &a), TW_BAD_LAYOUT, "does not fit 64 bits");
  REFUSED(tw_layout_parse(NULL, &a), TW_BAD_OPTION, "text is a null pointer");
  REFUSED(tw_layout_parse("8", NULL), TW_BAD_OPTION, "out is a null pointer");
  REFUSED(tw_layout_strided(2, negative, NULL, &a), TW_BAD_LAYOUT, "the extent -3 of axis 1 is negative");
  REFUSED(tw_layout_strided(2, huge, NULL, &a), TW_BAD_LAYOUT, "tw_layout_strided");
  REFUSED(tw_layout_strided(65, shape, NULL, &a), TW_BAD_LAYOUT, "a rank of 65");
  REFUSED(tw_layout_strided(-1, shape, NULL, &a), TW_BAD_LAYOUT, "a rank of -1");
  REFUSED(tw_layout_strided(2, NULL, NULL, &a), TW_BAD_OPTION, "shape is a null pointer");
  tw_layout_destroy(NULL);
}

enum { M = 37, N = 53 };

/* dst[j][i] = src[i][j], and every element of dst was touched. */
static int is_transposed(const int32_t *src, const int32_t *dst) {
  int i, j;
  for (i = 0; i < M; ++i)
    for (j = 0; j < N; ++j)
      if (dst[j * M + i] != src[i * N + j]) return 0;
  return 1;
}

static int32_t go_on(void *context, int64_t done, int64_t total) {
  int64_t *last = context;
  if (done < *last || done > total) return 1;
  *last = done;
  return 0;
}

static int32_t stop(void *context, int64_t done, int64_t total) {
  (void)done, (void)total;
  ++*(int *)context;
  return 1;
}

static void copies(void) {
  static int32_t src[M * N], dst[M * N];
  tw_layout *rows = parsed("(37,53):(53,1)"), *columns = parsed("(37,53):(1,37)"), *other = parsed("(53,37)");
  tw_layout *still = parsed("(37,53):(0,1)");
  tw_tensor from = tensor(src, rows, TW_I32), to = tensor(dst, columns, TW_I32), bad;
  tw_copy_options o = options();
  int64_t last = 0;
  int i;
  struct {
    tw_tensor tensor;
    char more[8];
  } newer;

  for (i = 0; i < M * N; ++i) src[i] = i + 1;
  CHECK(tw_copy(&from, &to, NULL) == TW_OK);
  CHECK(is_transposed(src, dst));
  memset(dst, 0, sizeof dst);
  o.threads = 1;
  o.progress = go_on;
  o.progress_context = &last;
  CHECK(tw_copy(&from, &to, &o) == TW_OK);
  CHECK(is_transposed(src, dst));

  REFUSED(tw_copy(NULL, &to, NULL), TW_BAD_OPTION, "src is a null pointer");
  REFUSED(tw_copy(&from, NULL, NULL), TW_BAD_OPTION, "dst is a null pointer");
  bad = from;
  bad.data = NULL;
  CHECK(tw_copy(&bad, &to, NULL) == TW_BAD_POINTER);
  bad = from;
  bad.layout = NULL;
  REFUSED(tw_copy(&bad, &to, NULL), TW_BAD_OPTION, "src->layout is a null pointer");
  bad = to;
  bad.layout = other;
  CHECK(tw_copy(&from, &bad, NULL) == TW_DIFFERENT_SHAPES);
  bad.layout = still;
  CHECK(tw_copy(&from, &bad, NULL) == TW_WRITES_TWICE);
  bad = to;
  bad.element = TW_F64;
  CHECK(tw_copy(&from, &bad, NULL) == TW_BAD_ELEMENT);
  bad.element = 1000;
  REFUSED(tw_copy(&from, &bad, NULL), TW_BAD_ELEMENT, "number 1000");
  bad = to;
  bad.data = src;
  CHECK(tw_copy(&from, &bad, NULL) == TW_OVERLAPPING);
  bad = to;
  bad.device = 7;
  REFUSED(tw_copy(&from, &bad, NULL), TW_BAD_OPTION, "no device of the kind 7");
  bad = to;
  bad.ordinal = 1;
  REFUSED(tw_copy(&from, &bad, NULL), TW_BAD_OPTION, "ordinal of a CPU");
  bad = to;
  bad.device = TW_CUDA;
  CHECK(tw_copy(&from, &bad, NULL) == TW_NO_DEVICE);
  bad = to;
  bad.size = 8;
  REFUSED(tw_copy(&from, &bad, NULL), TW_BAD_OPTION, "dst->size is 8");
  bad = to;
  bad.reserved = 1;
  REFUSED(tw_copy(&from, &bad, NULL), TW_BAD_OPTION, "reserved");

  /* A later structure is longer: zeros behind are fine, anything else is a wish that we cannot grant. */
  memset(&newer, 0, sizeof newer);
  newer.tensor = from;
  newer.tensor.size = sizeof newer;
  CHECK(tw_copy(&newer.tensor, &to, NULL) == TW_OK);
  newer.more[3] = 1;
  REFUSED(tw_copy(&newer.tensor, &to, NULL), TW_BAD_OPTION, "set what you do not use to zero");

  o = options();
  o.threads = -1;
  REFUSED(tw_copy(&from, &to, &o), TW_BAD_OPTION, "threads is -1");
  o = options();
  o.overlap = 2;
  REFUSED(tw_copy(&from, &to, &o), TW_BAD_OPTION, "overlap is 2");
  o.size = 0;
  REFUSED(tw_copy(&from, &to, &o), TW_BAD_OPTION, "options->size is 0");

  /* In place, through a copy of the source. */
  o = options();
  o.overlap = TW_OVERLAP_THROUGH_TEMPORARY;
  memcpy(dst, src, sizeof dst);
  bad = from;
  bad.data = dst;
  CHECK(tw_copy(&bad, &to, &o) == TW_OK);
  CHECK(is_transposed(src, dst));

  tw_layout_destroy(rows);
  tw_layout_destroy(columns);
  tw_layout_destroy(other);
  tw_layout_destroy(still);
}

/* Long enough that somebody asks on the way. */
static void cancelling(void) {
  enum { big = 3000 };
  const size_t bytes = (size_t)big * big * 8;
  double *src = malloc(bytes), *dst = malloc(bytes);
  tw_layout *rows = parsed("(3000,3000):(3000,1)"), *columns = parsed("(3000,3000):(1,3000)");
  tw_tensor from = tensor(src, rows, TW_F64), to = tensor(dst, columns, TW_F64);
  tw_copy_options o = options();
  int asked = 0;
  if (src != NULL && dst != NULL) {
    memset(src, 1, bytes);
    o.progress = stop;
    o.progress_context = &asked;
    CHECK(tw_copy(&from, &to, &o) == TW_CANCELLED);
    CHECK(asked >= 1); /* other threads may be about to ask */
  }
  free(src);
  free(dst);
  tw_layout_destroy(rows);
  tw_layout_destroy(columns);
}

static void plans(void) {
  static int32_t src[M * N], dst[M * N + 8];
  tw_layout *rows = parsed("(37,53):(53,1)"), *columns = parsed("(37,53):(1,37)");
  tw_tensor from = tensor(src, rows, TW_I32), to = tensor(dst, columns, TW_I32), none = tensor(NULL, rows, TW_I32);
  tw_plan *plan = NULL;
  int i;
  for (i = 0; i < M * N; ++i) src[i] = 3 * i;
  CHECK(tw_plan_create(&from, &to, NULL, &plan) == TW_OK && plan != NULL);
  tw_layout_destroy(rows);
  CHECK(strlen(tw_plan_explain(plan)) > 0 && tw_plan_explain(plan) == tw_plan_explain(plan));
  CHECK(tw_plan_json(plan)[0] == '{');
  CHECK(tw_plan_run(plan, src, dst, NULL) == TW_OK);
  CHECK(is_transposed(src, dst));
  REFUSED(tw_plan_run(plan, NULL, dst, NULL), TW_BAD_POINTER, "src is a null pointer");
  REFUSED(tw_plan_run(plan, src, NULL, NULL), TW_BAD_POINTER, "dst is a null pointer");
  REFUSED(tw_plan_run(plan, src, (char *)dst + 1, NULL), TW_BAD_POINTER, "dst is aligned to 1 bytes");
  REFUSED(tw_plan_run(NULL, src, dst, NULL), TW_BAD_OPTION, "plan is a null pointer");
  tw_plan_destroy(plan);

  rows = parsed("(37,53):(53,1)");
  none.layout = from.layout = rows;
  CHECK(tw_plan_create(&none, &to, NULL, &plan) == TW_OK);
  tw_plan_destroy(plan);
  REFUSED(tw_plan_create(&from, &to, NULL, NULL), TW_BAD_OPTION, "out is a null pointer");
  none.element = TW_F64;
  CHECK(tw_plan_create(&none, &to, NULL, &plan) == TW_BAD_ELEMENT && plan == NULL);

  CHECK(tw_plan_create_for(rows, columns, TW_F32, "cpu", &plan) == TW_OK);
  CHECK(tw_plan_explain(plan) != NULL);
  REFUSED(tw_plan_run(plan, src, dst, NULL), TW_BAD_OPTION, "can only be looked at");
  tw_plan_destroy(plan);
  CHECK(tw_plan_create_for(rows, columns, TW_F32, "abacus", &plan) == TW_BAD_OPTION && plan == NULL);
  REFUSED(tw_plan_create_for(NULL, columns, TW_F32, "cpu", &plan), TW_BAD_OPTION, "src is a null pointer");
  REFUSED(tw_plan_create_for(rows, columns, TW_F32, NULL, &plan), TW_BAD_OPTION, "machine is a null pointer");
  CHECK(tw_plan_explain(NULL) == NULL && tw_plan_json(NULL) == NULL);
  tw_plan_destroy(NULL);
  tw_layout_destroy(rows);
  tw_layout_destroy(columns);
}

static void machines(void) {
  tw_machine m = {0};
  m.size = sizeof m;
  CHECK(tw_machine_info(TW_CPU, 0, 1, &m) == TW_OK);
  CHECK(m.name[0] != '\0' && m.processors == 1 && m.device == TW_CPU && m.size == sizeof m);
  CHECK(tw_machine_named("cpu", &m) == TW_OK && m.processors >= 1);
  CHECK(tw_machine_named("abacus", &m) == TW_BAD_OPTION);
  REFUSED(tw_machine_info(TW_CPU, 0, -1, &m), TW_BAD_OPTION, "threads is -1");
  CHECK(tw_machine_info(TW_CUDA, 1000, 0, &m) == TW_NO_DEVICE);
  REFUSED(tw_machine_info(TW_CPU, 0, 0, NULL), TW_BAD_OPTION, "out is a null pointer");
  m.size = 4;
  REFUSED(tw_machine_info(TW_CPU, 0, 0, &m), TW_BAD_OPTION, "out->size is 4");
}

int main(void) {
  versions();
  elements();
  layouts();
  copies();
  cancelling();
  plans();
  machines();
  printf(failures == 0 ? "the C interface holds\n" : "%d checks failed\n", failures);
  return failures == 0 ? 0 : 1;
}
