import { type Config, config, dropin, file, unit } from "../../ignition";
import type { NodeDownloads } from "../downloads";
import type { Cluster } from "../model";
import { proxyVariables } from "../proxy";

const path = "/etc/tradewind/proxy.env";

/** Directive of a service that reaches the outside by the proxy. */
export function proxyDirective({ proxy }: Pick<Cluster, "proxy">): string {
    return proxy ? `EnvironmentFile=${path}\n` : "";
}

/** The services of a machine that download something. */
export function proxyForServices(
    { proxy }: Pick<Cluster, "proxy">,
    { containerRuntime }: Pick<NodeDownloads, "containerRuntime">,
): Config {
    if (proxy === undefined) return config({});
    const lines = Object.entries(proxyVariables(proxy)).map(([name, value]) => `${name}=${value}\n`);
    const services = ["containerd", ...(containerRuntime ? ["container-runtime"] : []), "cni-plugins", "kubelet"];
    const contents = `[Service]\n${proxyDirective({ proxy })}`;
    return config({
        files: [file(path, lines.join(""), { mode: 0o644 })],
        units: services.map((name) => unit(`${name}.service`, { dropins: [dropin("20-proxy.conf", contents)] })),
    });
}
