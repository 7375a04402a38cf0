/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Included by the sources of an annotated tree (docs/rewrite.md). With
 * -DAUTOPROF=1 their probes are those of probe.h; without it, and in languages
 * that do not support a kind of probe, its macros expand to nothing. */
#ifndef AUTOPROF_ANNOTATED_H
#define AUTOPROF_ANNOTATED_H
#pragma GCC system_header

#if defined(AUTOPROF) && AUTOPROF + 0
#include "probe.h"
#endif

#ifndef AP_SITE
#define AP_SITE(id)
#endif
#ifndef AP_SITE_SCOPE
#define AP_SITE_SCOPE(id)
#endif
#ifndef AP_SITE_BEGIN
#define AP_SITE_BEGIN(id)
#define AP_SITE_END(id)
#endif
#ifndef AP_OBJECT
#define AP_OBJECT(id)
#define AP_OBJECT_END(id)
#endif
#ifndef AP_RANGE
#define AP_RANGE(id)
#endif
#ifndef AP_TABLE
#define AP_TABLE(rows)
#endif

#endif /* AUTOPROF_ANNOTATED_H */
