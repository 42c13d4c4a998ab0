/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.hdfs.TestNameNodes;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In the web server of a stock NameNode that runs. */
class StatusServletTest {
    /** What needs nothing but the page's own files. */
    private static final String SCRIPT = "/trefoil/page.js";

    @TempDir
    private Path directory;

    private TestNameNodes nameNodes;
    private NameNode nameNode;

    private void start(String name, boolean anonymous) throws IOException {
        nameNodes = new TestNameNodes(directory, name);
        nameNodes.set("hadoop.http.filter.initializers", AuthenticationFilterInitializer.class.getName());
        nameNodes.set("hadoop.http.authentication.simple.anonymous.allowed", Boolean.toString(anonymous));
        nameNodes.format("nn1");
        nameNode = nameNodes.start("nn1");
        StatusServlet.add(nameNode, null);
    }

    @AfterEach
    void close() {
        nameNodes.close();
    }

    private int statusCodeOf(String path) throws IOException {
        URL url = new URL("http://" + NetUtils.getHostPortString(nameNode.getHttpAddress()) + path);
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        connection.setInstanceFollowRedirects(false);
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }

    /** As for {@code /jmx}: the filter that authenticates users stands before it, though the page came later. */
    @Test
    void pageRequiresSameAuthenticationAsOtherPages() throws Exception {
        start("known-callers", false);

        assertThat(statusCodeOf(SCRIPT)).isEqualTo(statusCodeOf("/jmx")).isEqualTo(HttpURLConnection.HTTP_UNAUTHORIZED);
        assertThat(statusCodeOf(SCRIPT + "?user.name=operator")).isEqualTo(HttpURLConnection.HTTP_OK);
    }

    @Test
    void unknownPathsAreNotFound() throws Exception {
        start("any-caller", true);

        assertThat(statusCodeOf(SCRIPT)).isEqualTo(HttpURLConnection.HTTP_OK);
        assertThat(statusCodeOf("/trefoil/../WEB-INF/web.xml")).isEqualTo(HttpURLConnection.HTTP_NOT_FOUND);
        assertThat(statusCodeOf("/trefoil")).isEqualTo(HttpURLConnection.HTTP_MOVED_TEMP);
    }
}
