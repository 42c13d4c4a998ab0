/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The settings of NameNodes that differ from their defaults, as shown in the status of the nameservice. Immutable. */
final class NonDefaultSettings {
    private final String nameservice;
    private final List<JsonNode> rows = new ArrayList<>();

    NonDefaultSettings(JsonNode status) {
        nameservice = status.path("nameservice").asText();
        status.path("settings").forEach(rows::add);
    }

    /**
     * The value of a setting that a NameNode uses: its own, or else the nameservice's, or else the common one; empty if
     * it is the default.
     */
    Optional<String> findSetting(String nameNode, String setting) {
        Optional<String> ofAll = findDisplayedValue(nameNode, setting);
        Optional<String> shared = findDisplayedValue(nameNode, setting + "." + nameservice);
        Optional<String> own = findDisplayedValue(nameNode, setting + "." + nameservice + "." + nameNode);
        return own.isPresent() ? own : shared.isPresent() ? shared : ofAll;
    }

    private Optional<String> findDisplayedValue(String nameNode, String property) {
        for (JsonNode row : rows) {
            if (row.path("name").asText().equals(property) && isAbout(row, nameNode)) {
                return Optional.of(row.path("value").asText());
            }
        }
        return Optional.empty();
    }

    private static boolean isAbout(JsonNode row, String nameNode) {
        for (JsonNode node : row.path("nameNodes")) {
            if (node.asText().equals(nameNode)) {
                return true;
            }
        }
        return false;
    }
}
