import { type Config, config, dropin, file, merge, unit } from "../../../ignition";
import type { NodeDownloads } from "../../downloads";
import type { Cluster } from "../../model";
import type { RegistryCredentials } from "../../options";
import { containerRuntime } from "./install";
import { registryMirrors } from "./registry-mirrors";

type Downloads = Pick<NodeDownloads, "registryMirror" | "containerRuntime">;

/** containerd as the kubelet's runtime; drop-ins in conf.d adapt it to unusual hosts. */
export function containerd(
    cluster: Cluster,
    { registryMirror, containerRuntime: runtime }: Downloads,
    registryCredentials?: RegistryCredentials,
): Config {
    const own = config({
        files: [
            file("/etc/containerd/config.toml", containerdConfig(cluster), { mode: 0o644 }),
            ...(registryMirror
                ? [file("/etc/containerd/certs.d/_default/hosts.toml", mirrorConfig(registryMirror), { mode: 0o644 })]
                : []),
        ],
        units: runtime
            ? []
            : [unit("containerd.service", { enabled: true, dropins: [dropin("10-config.conf", service)] })],
    });
    return merge(
        own,
        runtime ? containerRuntime(runtime) : config({}),
        registryMirrors(
            cluster.registryMirrors ?? (registryMirror ? [] : (cluster.defaultMirrors ?? [])),
            registryCredentials,
        ),
    );
}

const service = `[Service]
ExecStart=
ExecStart=/usr/bin/containerd --config /etc/containerd/config.toml
`;

function containerdConfig({ images: { pause }, selinux = false }: Pick<Cluster, "images" | "selinux">): string {
    return `version = 3
imports = ["/etc/containerd/conf.d/*.toml"]

[plugins.'io.containerd.cri.v1.images']
  discard_unpacked_layers = true
  [plugins.'io.containerd.cri.v1.images'.pinned_images]
    sandbox = '${pause}'
  [plugins.'io.containerd.cri.v1.images'.registry]
    config_path = '/etc/containerd/certs.d'

${selinux ? "[plugins.'io.containerd.cri.v1.runtime']\n  enable_selinux = true\n\n" : ""}[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
  runtime_type = 'io.containerd.runc.v2'
  [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
    SystemdCgroup = true
`;
}

function mirrorConfig(url: string): string {
    return `[host."${url}"]
  capabilities = ["pull", "resolve"]
`;
}
