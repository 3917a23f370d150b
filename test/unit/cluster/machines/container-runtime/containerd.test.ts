import assert from "node:assert/strict";
import { containerd } from "../../../../../cluster/machines/container-runtime/containerd";
import { diffable } from "../../../../../ignition";
import { fixedCluster } from "../../../components/in-cluster/fixture";

describe("containerd", () => {
    const texts = diffable(containerd(fixedCluster(), {}));

    it("keeps the pod sandbox's image, which nothing would pull again", () => {
        assert.match(texts["/etc/containerd/config.toml"]!, /sandbox = 'registry\.example\/pause:v1'/);
    });

    it("asks a cloud's default mirrors only if no other mirror is configured", () => {
        const mirror = (url: string) => [{ registry: "docker.io", urls: [url] }];
        const cluster = { ...fixedCluster(), defaultMirrors: mirror("https://gallery.example/v2/docker") };
        const hosts = (...given: Parameters<typeof containerd>) =>
            diffable(containerd(...given))["/etc/containerd/certs.d/docker.io/hosts.toml"];
        assert.match(
            hosts(cluster, {})!,
            /^\[host\."https:\/\/gallery\.example\/v2\/docker"\]\n.*\n {2}override_path = true$/m,
        );
        assert.equal(hosts(cluster, { registryMirror: "https://mirror.example" }), undefined);
        assert.equal(hosts({ ...cluster, registryMirrors: [] }, {}), undefined);
        const own = { ...cluster, registryMirrors: mirror("https://own.example") };
        assert.match(hosts(own, {})!, /^\[host\."https:\/\/own\.example"\]/m);
    });

    it("can be overridden by drop-ins on the host", () => {
        assert.match(texts["/etc/containerd/config.toml"]!, /^imports = \["\/etc\/containerd\/conf\.d\/\*\.toml"\]$/m);
    });

    it("runs with this config, whatever unit the OS image has", () => {
        assert.match(
            texts["containerd.service.d/10-config.conf"]!,
            /^ExecStart=\nExecStart=.* --config \/etc\/containerd/m,
        );
    });
});
