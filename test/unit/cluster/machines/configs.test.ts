import assert from "node:assert/strict";
import { controllerConfig } from "../../../../cluster/machines/controller";
import { workerConfig } from "../../../../cluster/machines/worker";
import type { ClusterOptions } from "../../../../cluster/options";
import { type Config, diffable, render, validate } from "../../../../ignition";
import { downloads, firstController, fixedCluster, readable } from "../../components/in-cluster/fixture";
import { assertShell } from "../../components/in-cluster/shell";
import { golden } from "../../golden";

const ca = "fake CA\n";
const bootstrapToken = "abcdef.0123456789abcdef";

function controller(options: Partial<ClusterOptions> = {}): Config {
    const cluster = fixedCluster(options);
    return controllerConfig(cluster, { machine: firstController(cluster), downloads, ca, bootstrapToken });
}

function worker(pool: object = {}, options: Partial<ClusterOptions> = {}): Config {
    const cluster = fixedCluster({ ...options, workerPools: [{ name: "a", ...pool }] });
    const machine = { name: "c-a-0", address: "10.0.0.21" };
    return workerConfig(cluster, cluster.workerPools[0]!, { machine, downloads, ca, bootstrapToken });
}

const nodeLabels = (config: Config) =>
    /--node-labels=(\S+)/.exec(diffable(config)["kubelet.service"]!)?.[1]?.split(",");
/** Path and contents of the kubelet's configuration. */
const kubeletConfig = (config: Config) => {
    const [[path, text]] = Object.entries(diffable(config)).filter(([path]) =>
        /settings\/config-.*\.json$/.test(path),
    ) as [[string, string]];
    return { path, text, value: JSON.parse(text.replace(/^mode.*\n/, "")) };
};
const nodeTaints = (config: Config) => kubeletConfig(config).value.registerWithTaints;

for (const [name, build] of [
    ["controller", controller],
    ["worker", worker],
] as const) {
    describe(`a ${name}'s config`, () => {
        const config = build();

        it("is as reviewed", () => golden(__dirname, name, readable(config)));

        it("is one that Ignition takes", () => assert.deepEqual(validate(config), []));

        it("is the same in every run", () => assert.equal(render(build()), render(config)));

        it("make secrets readable only by root", () => {
            for (const [path, text] of Object.entries(diffable(config))) {
                const isSecret = text.includes(bootstrapToken) || /PRIVATE KEY|client-key-data/.test(text);
                if (isSecret) assert.match(text, /^mode 0600\n/, path);
            }
            assert.match(diffable(config)["/etc/kubernetes/bootstrap-kubeconfig"]!, /^mode 0600\n/);
        });

        it("holds no key: a CA, a token and an address are enough to join", () => {
            assert.doesNotMatch(readable(config), /PRIVATE KEY|client-key-data/);
        });

        it("has scripts without a mistake that a shell or shellcheck finds", () => {
            const scripts = Object.entries(diffable(config)).filter(([, text]) =>
                /^mode 0755\n#!\/bin\/sh\n/.test(text),
            );
            assert.deepEqual(scripts.map(([path]) => path.split("/").at(-1)).sort(), [
                "await-apiserver",
                "fetch",
                "fit-pod-bridge",
                "install-cni-plugins",
                "keep-files",
                "keep-registered",
                "kubelet-wrapper",
                "node-routes",
                "os-boot",
                "os-reboot",
                "preflight",
                "resolv-conf",
                ...(name === "controller" ? ["start-checkpoints"] : []),
            ]);
            for (const [, text] of scripts) assertShell(text.replace(/^mode.*\n/, ""));
        });

        it("starts programs of its own by one of the OS, since SELinux may keep systemd from them", () => {
            const commands = Object.values(diffable(config)).flatMap((text) => text.match(/^Exec\w+=\S.*$/gm) ?? []);
            assert.ok(commands.length > 10, String(commands.length));
            const direct = commands.filter((command) => !/=[-+!]*\/(usr\/)?bin\//.test(command));
            assert.deepEqual(direct, []);
        });

        it("are overridden by snippets, which can also add files", () => {
            const snippet = JSON.stringify({
                ignition: { version: "3.5.0" },
                storage: {
                    files: [
                        { path: "/etc/hostname", overwrite: true, mode: 0o600, contents: { source: "data:,mine" } },
                        { path: "/etc/new", contents: { source: "data:,new" } },
                    ],
                },
            });
            const snippets = [snippet];
            const merged = diffable(
                name === "worker" ? worker({ snippets }) : controller({ controllers: { snippets } }),
            );
            assert.equal(merged["/etc/hostname"], "mode 0600\nmine");
            assert.equal(merged["/etc/new"], "mode 0644\nnew");
            const { path, text } = kubeletConfig(config);
            assert.equal(merged[path], text);
        });

        it("are overridden by extra kubelet arguments", () => {
            const components = { kubelet: { "node-ip": "192.0.2.9", v: "4" } };
            const texts = diffable(name === "worker" ? worker({}, { components }) : controller({ components }));
            const [, flags] = Object.entries(texts).find(([path]) => /settings\/flags-[0-9a-f]+$/.test(path))!;
            assert.match(flags, /\n--node-ip=192\.0\.2\.9\n--v=4\n$/);
        });
    });
}

describe("a node's labels and taints", () => {
    it("of a pool are those that its options give, and its name", () => {
        const config = worker({ labels: { "example.com/disk": "ssd" }, taints: ["gpu=yes:NoSchedule"] });
        assert.deepEqual(nodeLabels(config), ["example.com/disk=ssd", "node.kubernetes.io/pool=a"]);
        assert.deepEqual(nodeTaints(config), [{ key: "gpu", value: "yes", effect: "NoSchedule" }]);
    });

    it("name the pool correctly, whatever its options are", () => {
        assert.deepEqual(nodeLabels(worker({ labels: { "node.kubernetes.io/pool": "other" } })), [
            "node.kubernetes.io/pool=a",
        ]);
    });

    it("keep ordinary pods off controllers when there are workers", () => {
        assert.deepEqual(nodeTaints(controller()), []);
        assert.deepEqual(nodeTaints(controller({ workerPools: [{ name: "a" }] })), [
            { key: "node-role.kubernetes.io/control-plane", value: "", effect: "NoSchedule" },
        ]);
    });

    it("of a controller do not make it one: only an administrator may", () => {
        assert.deepEqual(nodeLabels(controller({ controllers: { labels: { "example.com/a": "b" } } })), [
            "example.com/a=b",
            "node.kubernetes.io/pool=controller",
        ]);
    });
});

describe("the mirror of images", () => {
    it("is used only where there is one", () => {
        const cluster = fixedCluster();
        const own = { kubelet: downloads.kubelet, cniPlugins: downloads.cniPlugins };
        const machine = firstController(cluster);
        const config = controllerConfig(cluster, { machine, downloads: own, ca, bootstrapToken });
        const mirror = "/etc/containerd/certs.d/_default/hosts.toml";
        assert.equal(diffable(config)[mirror], undefined);
        assert.match(diffable(controller())[mirror]!, /^\[host\."http:\/\/mirror\.example:5000"\]$/m);
    });
});

describe("the config of the machine where the control plane starts", () => {
    it("is that of any controller, with nothing by which it could start a cluster", () => {
        const paths = Object.keys(diffable(controller()));
        assert.deepEqual(
            paths.filter((path) => /bootstrap(\.service|\/)|etcd|manifests\/./.test(path)),
            [],
        );
    });
});
