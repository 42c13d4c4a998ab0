/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

/** The steps of the rename of a directory, of the completion of a decided rename, and of the undoing of any other. */
enum RenameStep {
    /** Each group has a station, and that of the old name's home records the new name. They stay if the client ends. */
    MAKE_STATIONS,
    /** The successor waits in the home of the new name, with the access and attributes of the old one. It stays if the client ends. */
    MAKE_SUCCESSOR,
    /** The successor records its origin. */
    MARK_SUCCESSOR,
    /** The old name contains a directory, so that clients inspect it; that directory alone means nothing. */
    HOLD_OLD_NAME,
    /** The old name contains the directory that will publish the rename. */
    STAGE_RECORD,
    /**
     * The directory inside the old name has the name that describes the rename. From here on any client that needs the directory continues,
     * or undoes it.
     */
    PUBLISH,
    /**
     * The successor equals the old name, as no client changes a name without checking for a successor; otherwise the rename is undone.
     */
    COMPARE_SUCCESSOR,
    /** All parts are in their staging directories, so nothing in the directory is reachable. */
    TAKE_PARTS,
    /** The successor has the new name, which a client that may write there has permitted: the directory exists there. This decides. */
    DECIDE,
    /** The parts are in place below the new name, and the old name and the stations are removed. A client that comes later does so. */
    PLACE_PARTS,
    /** The new name no longer records the rename. */
    END_ARRIVAL,
    /**
     * Undone: the parts of groups other than the successor's are back, and their stations removed. A client that comes
     * later does the same.
     */
    PUT_BACK_OTHERS,
    /** The old name records that the rename is undone, before the evidence is removed. */
    CALL_UNDONE,
    /** The last part is back, and the last station removed with the successor. */
    PUT_BACK_LAST,
    /** The old name no longer records the rename. */
    END_UNDONE
}
