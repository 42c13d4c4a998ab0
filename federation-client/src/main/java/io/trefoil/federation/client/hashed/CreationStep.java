/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

/** The steps by which a directory is created. */
enum CreationStep {
    /** The directory, with its contents, is staged next to its name, where no client looks for it. It stays if the client ends. */
    STAGE_DIRECTORY,
    /** A copy waits in each other part. It stays if the client ends. */
    STAGE_COPIES,
    /** Renames the directory into place, so that it exists from then on: the commit point. */
    GIVE_NAME,
    /** The copies have their names. A client that misses one gives it its name. */
    PLACE_COPIES
}
