/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

/** The steps by which a directory is renamed, by which a decided rename is finished, and by which another one is undone. */
enum RenameStep {
    /** Each group has a station, and that of the old name's home says what the new one is. They stay if the client ends. */
    MAKE_STATIONS,
    /** The successor waits in the home of the new name, with the access and attributes of the old one. It stays if the client ends. */
    MAKE_SUCCESSOR,
    /** The successor says from where it comes. */
    MARK_SUCCESSOR,
    /** The old name holds a directory, so that who asks for it looks closer; a lone one says nothing. */
    HOLD_OLD_NAME,
    /** The old name has the directory that will publish the rename. */
    STAGE_RECORD,
    /** The directory in the old name has the name that says all. From here on any client that needs the directory goes on, or undoes it. */
    PUBLISH,
    /**
     * The successor is like the old name, as no client changes a name without looking for its successor; otherwise the
     * rename is undone.
     */
    COMPARE_SUCCESSOR,
    /** All parts are in their staging folders, so nothing in the directory can be reached. */
    TAKE_PARTS,
    /** The successor has the new name, which a client that may write there has permitted: the directory is there. This decides. */
    DECIDE,
    /** The parts are in their places below the new name, the old name is removed, and so are the stations. Whoever comes later does so. */
    PLACE_PARTS,
    /** The new name does not say any more that it was renamed. */
    END_ARRIVAL,
    /** Undone: the parts of groups other than the successor's are back, and their stations removed. Whoever comes later does the same. */
    PUT_BACK_OTHERS,
    /** The old name says that the rename is undone, before what shows this is removed. */
    CALL_UNDONE,
    /** The last part is back, and the last station removed with the successor. */
    PUT_BACK_LAST,
    /** The old name does not say any more that it was to be renamed. */
    END_UNDONE
}
