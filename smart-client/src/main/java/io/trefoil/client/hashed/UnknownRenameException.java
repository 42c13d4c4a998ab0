/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hashed;

import java.io.IOException;

/** A directory is gone by both names: nobody can say any more whether it was renamed before it was deleted. */
public final class UnknownRenameException extends IOException {
    private static final long serialVersionUID = 1;

    UnknownRenameException(String from, String to) {
        super("Another client deleted the directory " + from + " while it was renamed to " + to
                + ", or what is above one of them: it is unknown whether it had its new name before");
    }
}
