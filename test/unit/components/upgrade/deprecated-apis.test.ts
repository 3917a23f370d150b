import assert from "node:assert/strict";
import { askDeprecatedApis, deprecatedApis } from "../../../../components/upgrade/running";

describe("the deprecated APIs in kube-apiserver's metrics", () => {
    it("are those that were requested and will be removed", () => {
        const metrics = `# HELP apiserver_requested_deprecated_apis [STABLE] Gauge of deprecated APIs
# TYPE apiserver_requested_deprecated_apis gauge
apiserver_requested_deprecated_apis{group="",removed_release="",resource="endpoints",subresource="",version="v1"} 1
apiserver_requested_deprecated_apis{group="flowcontrol.apiserver.k8s.io",removed_release="1.32",resource="flowschemas",subresource="",version="v1beta3"} 1
apiserver_requested_deprecated_apis{group="",removed_release="1.40",resource="things",subresource="status",version="v1"} 1
apiserver_request_total{code="200",group="apps"} 7
`;
        assert.deepEqual(deprecatedApis(metrics), [
            { name: "flowcontrol.apiserver.k8s.io/v1beta3 flowschemas", removedIn: "1.32" },
            { name: "v1 things", removedIn: "1.40" },
        ]);
    });
});

describe("kube-apiservers behind a load balancer", () => {
    const metrics = (started: string, resource: string) =>
        `process_start_time_seconds ${started}\napiserver_requested_deprecated_apis{group="g",removed_release="1.40",resource="${resource}",version="v1"} 1\n`;
    /** Responds with one after another, and counts. */
    const led = (...to: string[]) => {
        const calls: unknown[] = [];
        const call = async (path: string, options: unknown) => {
            assert.equal(path, "/metrics");
            return to[calls.push(options) - 1] ?? to.at(-1)!;
        };
        return { api: { call } as never, calls };
    };
    const [a, b, c] = [metrics("1.7e+09", "things"), metrics("1.8e+09", "others"), metrics("1.9e+09", "things")];
    const both = [
        { name: "g/v1 things", removedIn: "1.40" },
        { name: "g/v1 others", removedIn: "1.40" },
    ];

    it("are read from each kube-apiserver by its own connection, until all have responded", async () => {
        const { api, calls } = led(a, a, b, a, c);
        assert.deepEqual(await askDeprecatedApis(api, 3), { deprecatedApis: both, unasked: 0 });
        assert.deepEqual(calls, Array(5).fill({ isFresh: true }));
    });

    it("are not read forever if one does not respond", async () => {
        const { api, calls } = led(a, b);
        assert.deepEqual(await askDeprecatedApis(api, 3), { deprecatedApis: both, unasked: 1 });
        assert.equal(calls.length, 24);
    });

    it("are read once if there is only one", async () => {
        const { api, calls } = led(a);
        assert.deepEqual(await askDeprecatedApis(api, 1), { deprecatedApis: both.slice(0, 1), unasked: 0 });
        assert.equal(calls.length, 1);
    });
});
