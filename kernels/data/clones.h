// The one macro here: a hot loop compiled twice, the better one chosen when the program starts.
// AVX2 without FMA, so that both give the same bytes. Thread sanitizer cannot start with such
// functions.
#pragma once

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define RIGHTSIZE_AVX2_CLONE [[gnu::target_clones("avx2", "default")]]
#else
#define RIGHTSIZE_AVX2_CLONE
#endif
