import assert from "node:assert/strict";
import { firstKubelet } from "../../../../../cluster/machines/bootstrap/assets";
import { paths } from "../../../../../cluster/paths";
import { diffable } from "../../../../../ignition";
import { fakeCredentials, fixedCluster } from "../../../components/in-cluster/fixture";

const cluster = fixedCluster();
const secrets = fakeCredentials(cluster);
const texts = diffable(firstKubelet(cluster, secrets));
const current = `${paths.kubeletPki}/kubelet-client-current.pem`;

describe("the first kubelet's certificate", () => {
    it("is what its kubeconfig names, by the link that it points elsewhere when it rotates", () => {
        const { users } = JSON.parse(texts[paths.kubeconfig]!.replace(/^mode.*\n/, ""));
        assert.deepEqual(users[0].user, { "client-certificate": current, "client-key": current });
        const first = /^link to (.*)\n$/.exec(texts[current]!)?.[1] ?? "";
        assert.equal(texts[first], `mode 0600\n${secrets.firstKubelet.cert}${secrets.firstKubelet.key}`);
    });

    it("is in a file that agents may change if the cluster starts with another CA", () => {
        const other = diffable(firstKubelet(fixedCluster({ keys: { kubernetesCa: [2] } }), secrets));
        assert.equal(other["/var/lib/kubelet/pki/kubeconfig"], texts[paths.kubeconfig]);
        assert.equal(other[paths.kubeconfig], undefined);
    });

    it("is readable only by root", () => {
        assert.match(texts[`${paths.kubeletPki}/`]!, /^mode 0700\n/);
        assert.match(texts[paths.kubeconfig]!, /^mode 0600\n/);
    });
});
