/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A nameservice and its NameNodes, as named in the configuration. Immutable. */
@AutoValue
public abstract class NameNodeGroup {

    /** @param webAddresses by the NameNodes' ids, as {@code host:port} */
    public static NameNodeGroup of(String nameservice, Map<String, String> webAddresses) {
        return new AutoValue_NameNodeGroup(nameservice, Collections.unmodifiableMap(new LinkedHashMap<>(webAddresses)));
    }

    public abstract String nameservice();

    public abstract Map<String, String> webAddresses();
}
