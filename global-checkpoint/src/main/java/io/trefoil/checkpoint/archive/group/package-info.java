/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Determines which member of a nameservice's group writes the archive, and whether it can. Pure. Two at once do no harm, so no member is
 * asked for a promise: each decides from what the others say.
 */
package io.trefoil.checkpoint.archive.group;
