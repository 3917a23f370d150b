import assert from "node:assert/strict";
import { podScript, standbyScript } from "../../../../../cluster/manifests/etcd/scripts";
import { assertShell } from "../../../components/in-cluster/shell";

for (const [who, script] of Object.entries({ "a machine's own member": standbyScript, "the API's": podScript })) {
    describe(`the script of ${who}`, () => {
        it("has no mistake that a shell or shellcheck finds", () => assertShell(script));

        it("holds nothing that Kubernetes would expand in a command", () => {
            // `$$` becomes `$`, and `$(NAME)` the value of a variable of the container.
            assert.doesNotMatch(script, /\$\$|\$\(\w+\)/);
        });

        it("has etcd hold the locks, and nothing that outlives it", () => {
            assert.match(script, /^ {4}etcd "\$@" &$/m);
            assert.match(script, /watch\) 8>&- 9>&-/);
        });
    });
}
