import assert from "node:assert/strict";
import { resolveCluster } from "../../../cluster/resolve";

describe("components self-hosted in addition to the control plane", () => {
    const resolve = (selfHosted: object, kubelet: Record<string, string> = {}) =>
        resolveCluster({ name: "c", selfHosted, components: { kubelet } }).selfHosted;

    const none = { kubelet: false, etcd: false };

    it("are none by default", () => {
        assert.deepEqual(resolveCluster({ name: "c" }).selfHosted, none);
        assert.deepEqual(resolve({}), none);
        assert.deepEqual(resolve({ kubelet: true }), { ...none, kubelet: true });
        assert.deepEqual(resolve({ etcd: true }), { ...none, etcd: true });
        assert.deepEqual(resolve({ etcd: true, kubelet: true }), { etcd: true, kubelet: true });
    });

    const refused: [string, object, Record<string, string>, string][] = [
        ["a part that can't", { dns: true }, {}, "a key of selfHosted must be kubelet or etcd (got dns)"],
        ["no boolean", { kubelet: "yes" }, {}, "selfHosted.kubelet must be true or false (got yes)"],
        ["no boolean either", { etcd: 1 }, {}, "selfHosted.etcd must be true or false (got 1)"],
        [
            "a lock of one's own",
            { kubelet: true },
            { "lock-file": "/run/x" },
            "components.kubelet.lock-file conflicts with selfHosted.kubelet (got /run/x)",
        ],
        [
            "a kubelet that keeps the lock",
            { kubelet: true },
            { "exit-on-lock-contention": "false" },
            "components.kubelet.exit-on-lock-contention conflicts with selfHosted.kubelet (got false)",
        ],
    ];
    for (const [what, selfHosted, flags, message] of refused) {
        it(`is not ${what}`, () => assert.throws(() => resolve(selfHosted, flags), { message }));
    }

    it("may have flags of the lock if kubelets are not pods", () => {
        assert.deepEqual(resolve({}, { "lock-file": "/run/x" }), none);
    });
});
