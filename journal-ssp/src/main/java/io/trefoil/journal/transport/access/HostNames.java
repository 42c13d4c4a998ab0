/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;

/** Compares names of hosts, which certificates, principals and the configuration may write differently. */
public final class HostNames {

    private HostNames() {}

    /** A name in lower case without a trailing dot, an address in its canonical long form; does not resolve anything. */
    public static String normalize(String host) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
        if (address != null) {
            return canonical(address);
        }
        String name = host.trim().toLowerCase(Locale.ROOT);
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    private static String canonical(byte[] address) {
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("an address of " + address.length + " bytes", e);
        }
    }
}
