/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.transport.access.Networks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Hosts that an operator has listed, by networks, addresses and names. Immutable. */
@AutoValue
abstract class TrustedHosts {

    static final String TYPE = "networks, addresses and names of hosts, as 10.1.0.0/16, 10.2.3.4, h1.example.com";

    static final TrustedHosts NONE =
            new AutoValue_TrustedHosts(Networks.NONE, Collections.<String>emptySet(), Collections.<String>emptySet());

    /** Text that can only be an address, even an invalid one, so that it is never looked up as a name. */
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|.*[:/].*");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?");

    /** @throws IllegalArgumentException if one of them is neither a network, nor an address, nor the name of one host */
    static TrustedHosts parse(String text) {
        List<String> networks = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        Set<String> certified = new LinkedHashSet<>();
        for (String token : text.split(",")) {
            String host = token.trim();
            if (ADDRESS.matcher(host).matches()) {
                networks.add(host);
            } else if (NAME.matcher(host).matches()) {
                names.add(host);
            } else {
                throw new IllegalArgumentException("'" + host + "' is neither a network nor the name of one host");
            }
            if (!host.contains("/")) {
                certified.add(host);
            }
        }
        return new AutoValue_TrustedHosts(
                Networks.parse(String.join(",", networks)),
                Collections.unmodifiableSet(names),
                Collections.unmodifiableSet(certified));
    }

    /** The networks from which these hosts may call. */
    abstract Networks networks();

    /** The hosts listed by name. */
    abstract Set<String> names();

    /**
     * The names and single addresses that the hosts' certificates may state. A network is left out, as any certificate
     * of the authority would do for it.
     */
    abstract Set<String> certifiedNames();
}
