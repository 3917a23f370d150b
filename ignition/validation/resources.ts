import { createHash } from "node:crypto";
import { decodeDataUrl, inlineContents } from "../data-url";
import type { Ignition, Resource } from "../types";
import { mustBe } from "./error";

const schemes = ["data:", "http:", "https:", "s3:", "arn:", "gs:", "tftp:"];
const hashForm = /^(?:sha256-[0-9a-fA-F]{64}|sha512-[0-9a-fA-F]{128})$/;
const s3Arn = /^arn:[^:]*:s3:[^:]*:[^:]*:(?:accesspoint\/[^/]*\/|(?!accesspoint\/)[^/]*\/)/;

/** Errors in contents that a config includes or refers to. */
export function resourceErrors(
    at: string,
    resource: Resource = {},
    need: "required" | "optional" = "optional",
): string[] {
    const { source, compression, verification, httpHeaders = [] } = resource;
    const hash = verification?.hash ?? undefined;
    const errors = [
        ...mustBe(need === "optional" || !!source, `${at}.source`, "set", source),
        ...(source ? mustBe(isUrl(source), `${at}.source`, `a URL of ${schemes.join(" ")}`, source) : []),
        ...mustBe(!compression || compression === "gzip", `${at}.compression`, "gzip", compression),
        ...mustBe(
            hash === undefined || hashForm.test(hash),
            `${at}.verification.hash`,
            "sha256-<64 hex digits> or sha512-<128 hex digits>",
            hash,
        ),
        ...mustBe(hash === undefined || typeof source === "string", `${at}.source`, "set with a hash", source),
        ...mustBe(
            httpHeaders.length === 0 || /^https?:/.test(source ?? ""),
            `${at}.source`,
            "an http: or https: URL with httpHeaders",
            source,
        ),
        ...httpHeaders.flatMap(({ name, value }, index) => [
            ...mustBe(name !== "", `${at}.httpHeaders[${index}].name`, "set", name),
            ...mustBe(value !== "", `${at}.httpHeaders[${index}].value`, "set or omitted", value),
        ]),
    ];
    return errors.length > 0 ? errors : inlineErrors(at, resource);
}

/** Ignition only notices these when it writes the contents, on a machine that then does not boot. */
function inlineErrors(at: string, { source, compression, verification }: Resource): string[] {
    let bytes: Buffer | undefined;
    try {
        bytes = inlineContents(source ?? "", compression);
    } catch {
        const legal = `gzip data, because its compression is gzip (set compression to "" if it replaces gzip data)`;
        return mustBe(false, `${at}.source`, legal, source);
    }
    const [, kind, digest] = /^(.*)-(.*)$/.exec(verification?.hash ?? "") ?? [];
    if (!bytes || !kind || !digest) {
        return [];
    }
    const actual = createHash(kind).update(bytes).digest("hex");
    return mustBe(actual === digest.toLowerCase(), `${at}.verification.hash`, `${kind}-${actual}`, `${kind}-${digest}`);
}

export function isUrl(source: string): boolean {
    if (source.startsWith("data:")) {
        return decodeDataUrl(source) !== undefined;
    }
    // URLs cannot contain control characters, spaces or broken escapes.
    const isWhole = Array.from(source).every((c) => c > " " && c !== "\x7f") && !/%(?![0-9a-fA-F]{2})/.test(source);
    const isVersioned = !/[?&]versionId=?(?:&|#|$)/.test(source) || !/^(?:s3|arn):/.test(source);
    return (
        isWhole &&
        isVersioned &&
        schemes.some((scheme) => source.startsWith(scheme)) &&
        (!source.startsWith("arn:") || s3Arn.test(source))
    );
}

export function proxyErrors({ httpProxy, httpsProxy }: NonNullable<Ignition["ignition"]["proxy"]> = {}): string[] {
    return Object.entries({ httpProxy, httpsProxy }).flatMap(([name, value]) =>
        mustBe(
            typeof value !== "string" || (/^https?:/.test(value) && isUrl(value)),
            `ignition.proxy.${name}`,
            "an http: or https: URL",
            value,
        ),
    );
}
