import assert from "node:assert/strict";
import { shutdownPhases } from "../../../../../cluster/kubelet-settings";
import { shutdownDelay } from "../../../../../cluster/machines/kubelet/unit";

describe("how long a kubelet may delay a shutdown", () => {
    const { files = [], links = [] } = shutdownDelay().storage!;
    const contents = decodeURIComponent(files[0]!.contents!.source!.replace(/^data:[^,]*,/, ""));

    it("covers the phases of any node, before its kubelet checks it", () => {
        const allowed = Number(/^\[Login\]\nInhibitDelayMaxSec=(\d+)\n$/.exec(contents)?.[1]);
        for (const names of [["a"], ["a", "b", "c"]]) {
            for (const pool of ["controller", "default"]) {
                const phases = shutdownPhases({ controllers: { names } }, pool);
                const seconds = phases.reduce((sum, each) => sum + each.shutdownGracePeriodSeconds, 0);
                assert.ok(allowed >= seconds, `${allowed} of ${seconds} s`);
            }
        }
    });

    it("is what the kubelet itself writes, under a name that sorts after every other", () => {
        // The name of the kubelet's file: kubernetes/pkg/kubelet/nodeshutdown/systemd/inhibit_linux.go.
        assert.equal(files[0]!.path, "/etc/systemd/logind.conf.d/99-kubelet.conf");
        const [last] = links;
        assert.equal(last!.target, "99-kubelet.conf");
        assert.equal(last!.path.replace(/[^/]+$/, ""), "/etc/systemd/logind.conf.d/");
        const names = [files[0]!.path, last!.path].map((path) => path.split("/").at(-1)!);
        const all = [...names, "unattended-upgrades-logind-maxdelay.conf", "50-own.conf"].sort();
        assert.equal(all.at(-1), last!.path.split("/").at(-1));
    });
});
