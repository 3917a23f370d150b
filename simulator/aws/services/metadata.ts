import { sealed, unsealed } from "../../cloud/sealed";
import { lookUp } from "../../cloud/tree";
import type { Answer, Asked, Asker } from "../../services/service";
import type { Account } from "../account";
import { metadataOf } from "./metadata-tree";

const purpose = "metadata session";

/** Six hours, in seconds. */
const longestSession = 21_600;

/** Versions that answer, of which we tell the same. */
const version = /^(latest|20\d\d-\d\d-\d\d)$/;

/**
 * EC2's instance metadata service, version 2 alone: a session begins with a PUT, which no open proxy would hand on.
 *
 * Source: EC2's "Use the Instance Metadata Service to access instance metadata".
 */
export function metadata(account: Account, asked: Asked, asker: Asker, secret: string, now = Date.now()): Answer {
    const instance = instanceOf(account, asker);
    if (!instance) return failed(404, "Not Found");
    const { method, path, headers } = asked;
    const [, first = "", ...rest] = path.split("/");
    if (path === "/latest/api/token") {
        return method === "PUT" ? session(instance, headers, secret, now) : failed(405, "Not Allowed");
    }
    if (method !== "GET" && method !== "HEAD") return failed(405, "Not Allowed");
    const token = headers["x-aws-ec2-metadata-token"] ?? "";
    const found = unsealed<{ instance: string; expires: number }>(secret, purpose, token);
    if (found?.instance !== instance || found.expires < now) return failed(401, "Unauthorized");
    if (path === "/") return text("latest");
    const told = version.test(first) ? lookUp(metadataOf(account, instance, secret, now), rest) : undefined;
    return told === undefined ? failed(404, "Not Found") : text(told);
}

function session(instance: string, headers: Asked["headers"], secret: string, now: number): Answer {
    if (headers["x-forwarded-for"] !== undefined) return failed(403, "Forbidden");
    const given = headers["x-aws-ec2-metadata-token-ttl-seconds"] ?? "";
    const seconds = Number(given);
    if (!/^\d+$/.test(given) || seconds < 1 || seconds > longestSession) return failed(400, "Bad Request");
    const token = sealed(secret, purpose, { instance, expires: now + seconds * 1000 });
    return { ...text(token), headers: { ...plain, "x-aws-ec2-metadata-token-ttl-seconds": given } };
}

/** The id of the instance at an address. */
export function instanceOf({ resources }: Account, { network, address }: Asker): string | undefined {
    const found = Object.entries(resources.instances).find(
        ([, each]) => each.address === address && resources.vpcs[each.vpc]?.name === network,
    );
    return found?.[0];
}

const plain = { "content-type": "text/plain", server: "EC2ws" };

function text(body: string): Answer {
    return { status: 200, headers: plain, body };
}

function failed(status: number, body: string): Answer {
    return { status, headers: plain, body: `${status} - ${body}\n` };
}
