import assert from "node:assert/strict";
import { resetScript } from "../../../../cli/recover/recover";
import { assertShell } from "../../components/in-cluster/shell";

describe("what puts a controller's etcd aside", () => {
    it("is a shell script without faults", () => assertShell(resetScript));

    it("moves the data only when nothing can write them any more", () => {
        const order = [
            "rm -f /etc/kubernetes/manifests/etcd.json",
            "exit 1",
            'mv "$data"',
            "pkill -KILL -x kube-apiserver",
        ];
        const places = order.map((part) => resetScript.indexOf(part));
        assert.ok(
            places.every((place, index) => place > (places[index - 1] ?? -1)),
            String(places),
        );
    });
});
