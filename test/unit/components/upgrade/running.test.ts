import assert from "node:assert/strict";
import { deprecatedApis } from "../../../../components/upgrade/running";

describe("what kube-apiserver's metrics tell", () => {
    it("is the APIs that somebody asked for and that have an end", () => {
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
