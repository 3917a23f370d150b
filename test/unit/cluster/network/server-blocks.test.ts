import assert from "node:assert/strict";
import { illegalBlocks, legalBlocks } from "../../../server-blocks";
import { fixedCluster } from "../../components/in-cluster/fixture";

describe("additional server blocks of cluster DNS", () => {
    const resolve = (serverBlocks: string, clusterDomain = "cluster.local") =>
        fixedCluster({ network: { clusterDomain, dns: { serverBlocks } } });

    for (const [what, text] of Object.entries(legalBlocks)) {
        it(`may have ${what}`, () => assert.equal(resolve(text).dns.serverBlocks, text));
    }

    for (const [what, [text, error]] of Object.entries(illegalBlocks)) {
        it(`may not have ${what}`, () => assert.throws(() => resolve(text), error));
    }

    it("may not be empty, use another port, or be part of the cluster's zone", () => {
        assert.throws(
            () => resolve("# later\n"),
            /network\.dns\.serverBlocks must be blocks of a Corefile.* \(got no block\)/,
        );
        assert.throws(
            () => resolve("a.example:5353 {\n}\n"),
            /must be blocks of DNS zones on port 53.*"a\.example:5353"/,
        );
        assert.throws(() => resolve("tls://a.example {\n}\n"), /must be blocks of DNS zones on port 53/);
        assert.throws(
            () => resolve("svc.prod.example {\n}\n", "prod.example"),
            /must not have the zones of the cluster/,
        );
        assert.doesNotThrow(() => resolve("example {\n    whoami\n}\n", "prod.example"));
    });
});
