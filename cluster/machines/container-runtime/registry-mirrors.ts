import { type Config, config, file } from "../../../ignition";
import type { RegistryCredentials } from "../../options";
import { everyRegistry, type RegistryMirror } from "../../registry-mirrors";

/** containerd reads a directory per registry at every pull. */
const folder = "/etc/containerd/certs.d";

/**
 * containerd's mirrors: tried in order, then the registry itself. Credentials are sent as HTTP basic authentication,
 * because containerd has no other way to read them outside of its main configuration.
 *
 * Source: containerd's documentation of hosts.toml.
 */
export function registryMirrors(mirrors: readonly RegistryMirror[], credentials: RegistryCredentials = {}): Config {
    const files = mirrors.flatMap(({ registry, urls, ca }) => {
        const path = `${folder}/${registry === everyRegistry ? "_default" : registry}`;
        const login = credentials[registry];
        const authorization = login && Buffer.from(`${login.username}:${login.password}`).toString("base64");
        const hosts = urls.map((url) => host(url, ca === undefined ? undefined : `${path}/ca.crt`, authorization));
        return [
            file(`${path}/hosts.toml`, hosts.join("\n"), { mode: login ? 0o600 : 0o644 }),
            ...(ca === undefined ? [] : [file(`${path}/ca.crt`, ca, { mode: 0o644 })]),
        ];
    });
    return config({ files });
}

function host(url: string, ca: string | undefined, authorization: string | undefined): string {
    const isWhole = /\/v2(\/|$)/.test(new URL(url).pathname);
    return [
        `[host."${url}"]`,
        `  capabilities = ["pull", "resolve"]`,
        // Otherwise containerd appends /v2 to the path.
        ...(isWhole ? ["  override_path = true"] : []),
        ...(ca === undefined ? [] : [`  ca = "${ca}"`]),
        ...(authorization === undefined
            ? []
            : [`  [host."${url}".header]`, `    authorization = "Basic ${authorization}"`]),
        "",
    ].join("\n");
}
