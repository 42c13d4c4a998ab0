/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Locale;

/** How names of hosts are compared: in a certificate, a principal and the configuration they may be written differently. */
public final class HostNames {

    private HostNames() {}

    /** A name in small letters without a dot at its end, an address in its only long form; nothing is looked up. */
    public static String plain(String host) {
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(host);
        if (address != null) {
            return address.getHostAddress();
        }
        String name = host.trim().toLowerCase(Locale.ROOT);
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
