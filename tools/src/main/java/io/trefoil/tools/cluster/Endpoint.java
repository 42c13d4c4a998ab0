/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import com.google.auto.value.AutoValue;

/** A host and a port. */
@AutoValue
public abstract class Endpoint {
    private static final int HIGHEST_PORT = 65_535;

    Endpoint() {}

    public abstract String host();

    public abstract int port();

    /** @throws IllegalArgumentException if the text is not a host and a port */
    public static Endpoint parse(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        if (colon < 1 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > HIGHEST_PORT) {
            throw new IllegalArgumentException("Wanted host:port, found '" + text + "'");
        }
        return new AutoValue_Endpoint(text.substring(0, colon), Integer.parseInt(port));
    }

    @Override
    public final String toString() {
        return host() + ":" + port();
    }
}
