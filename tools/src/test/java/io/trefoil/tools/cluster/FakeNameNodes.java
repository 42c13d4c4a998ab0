/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import io.trefoil.foundation.OrderRefusedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** NameNodes nn1, nn2, nn3 of nameservice ns1, with pages that a test may change; one without a page is down. */
public final class FakeNameNodes implements NameNodes {
    private static final String VIEW =
            """
            {"nameservice":"ns1","current":%s,"ballot":%d,"lock":{"holder":"nn1","epoch":7,"takingOver":false},"members":[
            {"name":"nn1","state":"ACTIVE","reason":"","since":1000,"txId":40,"lag":0,"lagMillis":0,"epoch":7,"http":"host1:9870"},
            {"name":"nn3","state":"STANDBY","reason":"","since":3000,"txId":39,"lag":1,"lagMillis":15,"epoch":7,"http":"host3:9870"}]}
            """;
    private static final String HISTORY =
            """
            [{"ballot":1,"from":"","to":"nn2","cause":"no NameNode is active","epoch":5,"detectedAt":500,"lockedAfterMs":3,
            "promisedAfterMs":9,"activatedAfterMs":80,"announcedAfterMs":82},
            {"ballot":2,"from":"nn2","to":"nn1","cause":"the lease of nn2 has ended","epoch":7,"detectedAt":1000,
            "lockedAfterMs":4,"promisedAfterMs":11,"activatedAfterMs":101,"announcedAfterMs":104}]
            """;

    public final Map<String, String> pages = new ConcurrentHashMap<>();
    /** Their pages {@code /trefoil/status}. */
    public final Map<String, String> statuses = new ConcurrentHashMap<>();

    /** Those that have no such page, as while they start. */
    public final Set<String> withoutPage = new HashSet<>();

    /** Orders about elections that were taken. */
    public final List<String> orders = new ArrayList<>();

    /** Those that accept connections and answer nothing. */
    public final Set<String> hung = new HashSet<>();

    public final FakeGroupServers servers = new FakeGroupServers();

    /** Instead of ns1, for commands that ask all nameservices. */
    public final List<NameNodeGroup> all = new ArrayList<>();

    public boolean elected = true;

    public Optional<String> refusal = Optional.empty();

    /** Hears whose status is asked for, before the answer. */
    public Consumer<String> statusAsked = webAddress -> {};

    /** What an order that was taken brings about. */
    public Consumer<String> effect = order -> {};

    FakeNameNodes() {
        pages.put("host1:9870", page("ACTIVE", "", 1000, 42, 2));
        pages.put("host2:9870", page("STANDBY", "", 2000, 42, 2));
        pages.put("host3:9870", page("STANDBY", "", 3000, 41, 2));
    }

    public void setState(int number, String state, String reason) {
        pages.put("host" + number + ":9870", page(state, reason, 4000, 41, 2));
    }

    public static String page(String state, String reason, long since, long txId, long ballot) {
        String bean =
                """
                {"beans":[{"State":"%s","Role":"STANDBY","Reason":"%s","Since":%d,"TxId":%d,"Lag":0,"LagMillis":0,"Epoch":7,"ViewCurrent":true,
                "View":%s,"History":%s}]}
                """;
        return bean.formatted(state, reason, since, txId, quote(VIEW.formatted(true, ballot)), quote(HISTORY));
    }

    private static String quote(String document) {
        return "\"" + document.replace("\n", "").replace("\"", "\\\"") + "\"";
    }

    @Override
    public NameNodeGroup find(Optional<String> nameservice) {
        if (nameservice.isPresent() && !nameservice.get().equals("ns1")) {
            throw new IllegalArgumentException("Wanted a nameservice '" + nameservice.get() + "', found [ns1]");
        }
        Map<String, String> addresses = new LinkedHashMap<>();
        for (int number = 1; number <= 3; number++) {
            addresses.put("nn" + number, "host" + number + ":9870");
        }
        return NameNodeGroup.of("ns1", addresses);
    }

    @Override
    public List<NameNodeGroup> all() {
        return all.isEmpty() ? List.of(find(Optional.empty())) : all;
    }

    @Override
    public boolean isElected(String nameservice) {
        return elected;
    }

    @Override
    public String fetchBean(String webAddress, String bean, Duration timeout) throws IOException {
        String page = pages.getOrDefault(webAddress + " " + bean, pages.get(webAddress));
        if (hung.contains(webAddress)) {
            throw new SocketTimeoutException("Read timed out");
        }
        if (page == null) {
            throw new ConnectException("Connection refused");
        }
        return page;
    }

    @Override
    public boolean isListening(String webAddress, Duration timeout) {
        return pages.containsKey(webAddress) || hung.contains(webAddress);
    }

    @Override
    public String fetchSetting(String webAddress, String name, Duration timeout) throws IOException {
        String page = pages.get(webAddress + " " + name);
        if (page == null) {
            throw new FileNotFoundException("http://" + webAddress + "/conf?name=" + name);
        }
        return page;
    }

    @Override
    public String fetchStatus(String webAddress, Duration timeout) throws IOException {
        statusAsked.accept(webAddress);
        String page = statuses.get(webAddress);
        if (page == null && withoutPage.contains(webAddress)) {
            throw new FileNotFoundException("http://" + webAddress + "/trefoil/status");
        }
        if (page == null) {
            throw new ConnectException("Connection refused");
        }
        return page;
    }

    @Override
    public Elections elections(String nameservice, Duration timeout) {
        return new Elections() {
            private String take(String order) throws IOException {
                if (refusal.isPresent()) {
                    throw new OrderRefusedException("Refused: " + refusal.get());
                }
                orders.add(order);
                effect.accept(order);
                return "done: " + order;
            }

            @Override
            public String prefer(String nameNode, Optional<Duration> time) throws IOException {
                return take(
                        "prefer " + nameNode + time.map(some -> " for " + some).orElse(""));
            }

            @Override
            public String clearPreference() throws IOException {
                return take("prefer nobody");
            }

            @Override
            public String drain(String nameNode) throws IOException {
                return take("drain " + nameNode);
            }

            @Override
            public String drainIfNoneDrained(String nameNode) throws IOException {
                return take("drain-alone " + nameNode);
            }

            @Override
            public String undrain(String nameNode) throws IOException {
                return take("undrain " + nameNode);
            }
        };
    }

    @Override
    public GroupServers servers(String nameservice, Duration timeout) {
        return servers;
    }
}
