/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import com.google.auto.value.AutoValue;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/** A list of networks, such as {@code 10.1.0.0/16, 192.168.7.20, fd00:12::/32}. Immutable. */
@AutoValue
public abstract class Networks {

    public static final Networks NONE = new AutoValue_Networks(Collections.<Network>emptyList());

    /** The shortest prefix: a network wider than the widest private one cannot belong to one cluster. */
    private static final int MIN_PREFIX_LENGTH = 8;

    /** The form of a literal address: anything else would be looked up as a name. */
    private static final Pattern LITERAL = Pattern.compile("[0-9]+(\\.[0-9]+){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    /** @throws IllegalArgumentException if it is not such a list, or a network has a prefix of fewer than 8 bits */
    public static Networks parse(String text) {
        List<Network> networks = new ArrayList<>();
        for (String token : text.split(",", -1)) {
            if (!token.trim().isEmpty()) {
                networks.add(parseOne(token.trim()));
            }
        }
        return new AutoValue_Networks(Collections.unmodifiableList(networks));
    }

    private static Network parseOne(String text) {
        int slash = text.indexOf('/');
        byte[] address = address(slash < 0 ? text : text.substring(0, slash), text);
        int bits = slash < 0 ? 8 * address.length : prefix(text.substring(slash + 1), text);
        if (bits < MIN_PREFIX_LENGTH || bits > 8 * address.length) {
            throw new IllegalArgumentException("'" + text + "' has a prefix of " + bits + " bits, wanted "
                    + MIN_PREFIX_LENGTH + " to " + 8 * address.length);
        }
        return Network.of(address, bits);
    }

    private static byte[] address(String text, String whole) {
        if (!LITERAL.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "'" + whole + "' has no IP address; networks are written as 10.1.0.0/16, single hosts as 10.1.2.3");
        }
        try {
            return InetAddress.getByName(text).getAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("'" + whole + "' has no IP address", e);
        }
    }

    private static int prefix(String text, String whole) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + whole + "' has no number of bits after its /", e);
        }
    }

    abstract List<Network> list();

    public final boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        for (Network network : list()) {
            if (network.contains(bytes)) {
                return true;
            }
        }
        return false;
    }

    public final boolean isEmpty() {
        return list().isEmpty();
    }

    @Override
    public final String toString() {
        return list().toString();
    }

    /** All addresses that begin with the same bits. */
    static final class Network {
        private final byte[] address;
        private final int bits;

        private Network(byte[] address, int bits) {
            this.address = address;
            this.bits = bits;
        }

        static Network of(byte[] address, int bits) {
            return new Network(address.clone(), bits);
        }

        boolean contains(byte[] addressBytes) {
            if (addressBytes.length != address.length) {
                return false;
            }
            for (int i = 0; i < bits; i++) {
                int mask = 0x80 >> (i % 8);
                if ((address[i / 8] & mask) != (addressBytes[i / 8] & mask)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Network
                    && bits == ((Network) other).bits
                    && Arrays.equals(address, ((Network) other).address);
        }

        @Override
        public int hashCode() {
            return 31 * bits + Arrays.hashCode(address);
        }

        @Override
        public String toString() {
            try {
                return InetAddress.getByAddress(address).getHostAddress() + "/" + bits;
            } catch (UnknownHostException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
