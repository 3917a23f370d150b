import { createHash, createHmac } from "node:crypto";
import type { Asked } from "../services/service";

/** A request's signature version 4 parameters (AWS' "Signature Version 4"). */
export interface Signature {
    readonly accessKeyId: string;
    /** `20261123/eu-central-1/s3/aws4_request` */
    readonly scope: string;
    readonly headers: readonly string[];
    /** In hexadecimal. */
    readonly value: string;
}

/** Undefined if the request is not signed. */
export function signatureOf({ headers }: Pick<Asked, "headers">): Signature | undefined {
    const found =
        /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
            headers.authorization ?? "",
        );
    if (!found) return undefined;
    const [, accessKeyId, scope, signed, value] = found;
    return { accessKeyId: accessKeyId!, scope: scope!, headers: signed!.split(";"), value: value! };
}

const unsigned = "UNSIGNED-PAYLOAD";
const minute = 60_000;

/** Why a request's signature does not match a key, as AWS' error code; undefined if it matches. */
export function problemOf(asked: Asked, signature: Signature, secretAccessKey: string, now = Date.now()) {
    const { headers, body } = asked;
    const date = headers["x-amz-date"] ?? "";
    const [day = "", region = "", service = ""] = signature.scope.split("/");
    const time = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
    if (!(Math.abs(time - now) < 15 * minute) || !date.startsWith(day)) return "RequestTimeTooSkewed";
    const hash = headers["x-amz-content-sha256"] ?? sha256(body);
    if (hash !== unsigned && hash !== sha256(body)) return "XAmzContentSHA256Mismatch";
    const all = ["host", ...Object.keys(headers).filter((each) => each.startsWith("x-amz-"))];
    if (all.some((each) => !signature.headers.includes(each))) return "AccessDenied";
    const text = ["AWS4-HMAC-SHA256", date, signature.scope, sha256(canonical(asked, signature.headers, hash))];
    const keys = [day, region, service, "aws4_request"];
    const key = keys.reduce<string | Buffer>((from, word) => hmac(from, word), `AWS4${secretAccessKey}`);
    return hmac(key, text.join("\n")).toString("hex") === signature.value ? undefined : "SignatureDoesNotMatch";
}

function canonical({ method, path, query, headers }: Asked, signed: readonly string[], hash: string): string {
    const parameters = query.split("&").filter(Boolean).map(recodedParameter);
    const inOrder = parameters.sort(([a, x], [b, y]) => (a === b ? order(x, y) : order(a, b)));
    return [
        method,
        path.split("/").map(recoded).join("/"),
        inOrder.map((each) => each.join("=")).join("&"),
        ...signed.map((name) => `${name}:${(headers[name] ?? "").trim().replace(/ +/g, " ")}`),
        "",
        signed.join(";"),
        hash,
    ].join("\n");
}

function recodedParameter(parameter: string): [name: string, value: string] {
    const [name = "", ...value] = parameter.split("=");
    return [recoded(name), recoded(value.join("="))];
}

function order(a: string, b: string): number {
    return a < b ? -1 : Number(a > b);
}

/** With the escapes of RFC 3986, whatever else a client has escaped. */
function recoded(text: string): string {
    const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
    return encodeURIComponent(decodeURIComponent(text)).replace(/[!'()*]/g, escaped);
}

function sha256(data: string | Buffer): string {
    return createHash("sha256").update(data).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
    return createHmac("sha256", key).update(text).digest();
}
