/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Locale;

/** Compares names of hosts, which certificates, principals and the configuration may write differently. */
public final class HostNames {

    private HostNames() {}

    /** A name in lower case without a trailing dot, an address in its canonical long form; looks nothing up. */
    public static String plain(String host) {
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(host);
        if (address != null) {
            return address.getHostAddress();
        }
        String name = host.trim().toLowerCase(Locale.ROOT);
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
