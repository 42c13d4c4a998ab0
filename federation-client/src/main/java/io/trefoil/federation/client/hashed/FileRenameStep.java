/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

/** The steps by which a file gets a name whose home is another group. */
enum FileRenameStep {
    /**
     * The file's group has an empty room, and the home of the new name a directory, where no client looks for them.
     * They stay if the client ends.
     */
    STAGE_ROOM,
    /** The directory is labeled as a signpost to the room. It stays if the client ends. */
    LABEL_SIGNPOST,
    /** The signpost has the new name; it leads to an empty room, so no file exists yet. A client that needs the name removes both. */
    PLACE_SIGNPOST,
    /** The file is in its room: the old name is gone, and the new one exists. This decides. */
    MOVE_FILE_IN
}
