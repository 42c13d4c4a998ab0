/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import com.google.auto.value.AutoValue;

/** Something that was asked from outside and waits for an answer. Immutable. */
@AutoValue
public abstract class Request {

    public static Request of(long number) {
        return new AutoValue_Request(number);
    }

    abstract long number();
}
