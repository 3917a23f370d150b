import type { RegistryCredentials, RegistryMirrorOptions } from "./options";
import { conflictsWith, invalid, mustNot } from "./validate";

/** A registry that has the images of another one, as containerd reads it. */
export type RegistryMirror = Readonly<RegistryMirrorOptions>;

/** In `registry`: images of all registries that no other entry names. */
export const everyRegistry = "*";

const registryName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/;
/** One or more certificates in PEM form. */
export const certificates = /^(\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----)+\s*$/;

/** Throws `registryMirrors[<index>].<key> must be <legal> (got <value>)`. */
export function resolveRegistryMirrors(options: readonly RegistryMirrorOptions[]): readonly RegistryMirror[] {
    return options.map(({ registry, urls, ca }, index) => {
        const option = `registryMirrors[${index}]`;
        if (registry !== everyRegistry && !registryName.test(registry)) {
            throw invalid(
                `${option}.registry`,
                `a host with an optional port, such as docker.io, or ${everyRegistry}`,
                registry,
            );
        }
        if (options.slice(0, index).some((each) => each.registry === registry)) {
            throw mustNot(`${option}.registry`, "be listed twice", registry);
        }
        if (urls.length === 0) throw mustNot(`${option}.urls`, "be empty");
        urls.forEach((url, at) => {
            requireUrl(`${option}.urls[${at}]`, url);
        });
        if (ca === undefined) return { registry, urls };
        if (!certificates.test(ca)) throw invalid(`${option}.ca`, "certificates in PEM form", ca);
        const plain = urls.find((url) => url.startsWith("http:"));
        if (plain !== undefined) throw conflictsWith(`${option}.ca`, "an http:// URL", plain);
        return { registry, urls, ca };
    });
}

function requireUrl(option: string, text: string): void {
    const legal = "an http:// or https:// URL without credentials, query or fragment, such as https://mirror.example";
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isPlain = url && !url.username && !url.password && !url.search && !url.hash;
    if (!isPlain || !/^https?:$/.test(url.protocol)) throw invalid(option, legal, text);
}

/** Throws unless all credentials are for mirrors by HTTPS, and can be sent. Does not print them. */
export function requireRegistryCredentials(
    mirrors: readonly RegistryMirror[],
    credentials: RegistryCredentials = {},
): RegistryCredentials {
    for (const [registry, { username, password }] of Object.entries(credentials)) {
        const option = `registryCredentials["${registry}"]`;
        const mirror = mirrors.find((each) => each.registry === registry);
        if (mirror === undefined)
            throw invalid(`a key of registryCredentials`, "the registry of an entry of registryMirrors", registry);
        const plain = mirror.urls.find((url) => url.startsWith("http:"));
        if (plain !== undefined) throw conflictsWith(option, "an http:// URL of its mirror", plain);
        if (!username || /[:\s]/.test(username)) {
            throw new Error(`${option}.username must be text without colons and spaces`);
        }
        if (!password || /[\r\n]/.test(password)) throw new Error(`${option}.password must be text in one line`);
    }
    return credentials;
}
