/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The settings of NameNodes that differ from their defaults, as the status of the nameservice shows them. Immutable. */
final class NonDefaultSettings {
    private final String nameservice;
    private final List<JsonNode> rows = new ArrayList<>();

    NonDefaultSettings(JsonNode status) {
        nameservice = status.path("nameservice").asText();
        status.path("settings").forEach(rows::add);
    }

    /**
     * The value of a setting that a NameNode uses: its own, or else that of the nameservice, or that of all; empty if
     * it is the default.
     */
    Optional<String> of(String nameNode, String setting) {
        Optional<String> ofAll = shown(nameNode, setting);
        Optional<String> shared = shown(nameNode, setting + "." + nameservice);
        Optional<String> own = shown(nameNode, setting + "." + nameservice + "." + nameNode);
        return own.isPresent() ? own : shared.isPresent() ? shared : ofAll;
    }

    private Optional<String> shown(String nameNode, String property) {
        for (JsonNode row : rows) {
            if (row.path("name").asText().equals(property) && names(row, nameNode)) {
                return Optional.of(row.path("value").asText());
            }
        }
        return Optional.empty();
    }

    private static boolean names(JsonNode row, String nameNode) {
        for (JsonNode one : row.path("nameNodes")) {
            if (one.asText().equals(nameNode)) {
                return true;
            }
        }
        return false;
    }
}
