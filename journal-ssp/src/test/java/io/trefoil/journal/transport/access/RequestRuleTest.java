/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.codec.MessageType;
import io.trefoil.journal.transport.codec.WireFormatTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of rights is that of {@code docs/design/security.md}, and holds for every request. */
class RequestRuleTest {
    private static final Path PAGE = Path.of("..", "docs", "design", "security.md");
    private static final Pattern ROW = Pattern.compile("\\| `([A-Z_]+)`( to join)? \\| `([A-Z]+)` \\| (.+) \\|");

    static List<PoolRequest> requests() {
        List<PoolRequest> requests = new ArrayList<>(WireFormatTest.requests());
        requests.add(ChangeMembersRequest.of(MemberChange.join("t1", NodeAddress.of("h2", 8487))));
        return requests;
    }

    @Test
    void pageListsEveryRequest() throws IOException {
        Set<String> rows = new TreeSet<>();
        for (String line : Files.readAllLines(PAGE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                String join = row.group(2) == null ? "" : row.group(2);
                rows.add(row.group(1) + join + ": " + row.group(3) + " in "
                        + row.group(4).replace("`", ""));
            }
        }

        assertThat(requests())
                .extracting(request -> RequestRule.of(request).request() + ": "
                        + RequestRule.of(request).requiredRight() + " in "
                        + RequestRule.of(request).roles().stream()
                                .map(Enum::name)
                                .collect(Collectors.joining(", ")))
                .containsExactlyInAnyOrderElementsOf(rows);
    }

    @Test
    void rulesCoverEveryRequest() {
        assertThat(requests())
                .extracting(request -> RequestRule.of(request).request())
                .contains(Arrays.stream(MessageType.values())
                        .filter(type ->
                                type.code() >= MessageType.NEW_EPOCH.code() && type.code() < MessageType.PROMISE.code())
                        .map(Enum::name)
                        .toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void rejectsCallerWithoutRequiredRight(PoolRequest request) {
        RequestRule rule = RequestRule.of(request);
        Caller others = Caller.of("somebody", EnumSet.complementOf(EnumSet.of(rule.requiredRight())));
        Caller entitled = Caller.of("somebody", EnumSet.of(rule.requiredRight()));

        for (CallerRole role : rule.roles()) {
            assertThat(others.refusalOf(role, request)).hasValueSatisfying(reason -> assertThat(reason)
                    .contains("somebody", rule.requiredRight().name(), rule.request()));
            assertThat(entitled.refusalOf(role, request)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("requests")
    void rejectsRequestInSessionOfWrongRole(PoolRequest request) {
        RequestRule rule = RequestRule.of(request);
        Caller everything = Caller.of("root", EnumSet.allOf(AccessRight.class));

        for (CallerRole role : EnumSet.complementOf(EnumSet.copyOf(rule.roles()))) {
            assertThat(everything.refusalOf(role, request))
                    .hasValueSatisfying(reason -> assertThat(reason).contains(rule.request(), role.name()));
        }
    }

    @Test
    void sessionRequiresRightOfItsRole() {
        assertThat(Caller.of("a reader", EnumSet.of(AccessRight.READ)).refusalOf(CallerRole.READER))
                .isEmpty();
        assertThat(Caller.of("a reader", EnumSet.of(AccessRight.READ)).refusalOf(CallerRole.WRITER))
                .isPresent();
        assertThat(Caller.of("nobody", Set.of()).refusalOf(CallerRole.READER)).isPresent();
        assertThat(Caller.of("a writer", EnumSet.of(AccessRight.WRITE)).refusalOf(CallerRole.WRITER))
                .isEmpty();
    }
}
