/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.messages;

import javax.lang.model.element.Element;

/** Thrown when an interface does not define a valid family; the message says why, and the element shows where. */
final class InvalidFamilyException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Element element;

    InvalidFamilyException(Element element, String message) {
        super(message);
        this.element = element;
    }

    Element element() {
        return element;
    }
}
