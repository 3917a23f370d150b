import assert from "node:assert/strict";
import { resetScript } from "../../../../cli/recover/recover";
import { assertShell } from "../../components/in-cluster/shell";

describe("the script that moves a controller's etcd data aside", () => {
    it("passes shellcheck", () => assertShell(resetScript));

    it("moves the data only once no process can write to it", () => {
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
