/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.messages;

import javax.lang.model.element.Element;

/** No family can be made of an interface; the message says why, and the element where to look. */
final class WrongFamilyException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Element element;

    WrongFamilyException(Element element, String message) {
        super(message);
        this.element = element;
    }

    Element element() {
        return element;
    }
}
