/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import java.io.IOException;

/** Thrown when it can no longer be determined whether something was renamed before others deleted it, or took its name. */
public final class UnknownRenameException extends IOException {
    private static final long serialVersionUID = 1;

    private UnknownRenameException(String description) {
        super(description);
    }

    static UnknownRenameException ofDirectory(String from, String to) {
        return new UnknownRenameException("Another client deleted the directory " + from + " while it was renamed to "
                + to + ", or what is above one of them: it is unknown whether it had its new name before");
    }

    static UnknownRenameException ofFile(String from, String to) {
        return new UnknownRenameException(to + " is a directory now, and it is unknown whether it was " + from
                + " when a file of that name was to be renamed, or others made it when the file was gone");
    }
}
