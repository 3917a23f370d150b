import { macAddress } from "../../../../machines";
import {
    type Answer,
    type Api,
    type Asked,
    type Asker,
    type Caller,
    type CloudServices,
    isCaller,
    type Unsigned,
    type Who,
} from "../../services/service";
import { type S3Action, type Store, s3Answer } from "../../shared/s3/answer";
import { keptIn } from "../../shared/s3/kept";
import { problemOf, signatureOf } from "../../shared/signature";
import { lookUp, type Tree } from "../../shared/tree";
import { Account, type Droplet } from "../account";
import { droplets } from "./droplets";

const endpoint = /[a-z0-9]+\.digitaloceanspaces\.com$/;

/** The account's Spaces, for owners of a key. */
export const spaces: Api<Account> = { hosts: new RegExp(`^(.+\\.)?${endpoint.source}`), answer };

/** The key that signed a request. */
export function callerOf({ resources }: Account, asked: Asked): Caller | Unsigned {
    const signature = signatureOf(asked);
    if (!signature) return {};
    const key = resources.spacesKeys[signature.accessKeyId];
    if (!key) return { problem: "InvalidAccessKeyId" };
    const problem = problemOf(asked, signature, key.secretKey ?? "");
    return problem ? { problem } : { role: signature.accessKeyId };
}

function answer(account: Account, asked: Asked, { caller }: Who): Answer {
    return s3Answer(asked, storeFor(account, isCaller(caller) ? caller.role : "", asked.host), caller, endpoint);
}

function storeFor(account: Account, key: string, host: string): Store {
    const { spacesBuckets, spacesKeys, spacesObjects } = account.resources;
    const kept = keptIn(account.path);
    const region = host.split(".").at(-3) ?? "";
    const idOf = (bucket: string, at: string) => `${bucket}/${at}`;
    return {
        region,
        hasBucket: (bucket) => spacesBuckets[bucket]?.region === region,
        may: (action: S3Action, bucket) =>
            (spacesKeys[key]?.grants ?? []).some(
                ({ bucket: of, permission }) =>
                    permission === "fullaccess" ||
                    (of === bucket && (permission === "readwrite" || /Get|List/.test(action))),
            ),
        read: (bucket, at) => (spacesObjects[idOf(bucket, at)] ? kept.read(idOf(bucket, at)) : undefined),
        write(bucket, at, body) {
            const name = idOf(bucket, at);
            kept.write(name, body);
            account.put("spacesObjects", name, { name, bucket, key: at });
        },
        remove(bucket, at) {
            kept.remove(idOf(bucket, at));
            account.remove("spacesObjects", idOf(bucket, at));
        },
        keys: (bucket) => Object.values(spacesObjects).flatMap((each) => (each.bucket === bucket ? each.key : [])),
    };
}

/** DigitalOcean as its droplets see it. */
export const services: CloudServices<Account> = {
    account: (path) => new Account(path),
    networks: ({ resources }) => Object.values(resources.vpcs).map(({ name }) => name),
    metadata,
    apis: [spaces, droplets],
    callerOf,
    work: [],
};

/**
 * DigitalOcean's metadata service, which answers any request from a droplet.
 *
 * Source: DigitalOcean's "Metadata API".
 */
export function metadata(account: Account, { method, path }: Asked, asker: Asker): Answer {
    if (method !== "GET" && method !== "HEAD") return { status: 405, body: "method not allowed\n" };
    const found = Object.entries(account.resources.droplets).find(
        ([, { address, vpc }]) => address === asker.address && account.resources.vpcs[vpc]?.name === asker.network,
    );
    if (!found) return notFound;
    const [id, droplet] = found;
    if (path === "/metadata/v1.json") {
        const body = JSON.stringify(asJson(account, id, droplet));
        return { status: 200, headers: { "content-type": "application/json" }, body };
    }
    const [, top, version, ...rest] = path.split("/");
    const value = top === "metadata" && version === "v1" ? lookUp(asTree(account, id, droplet), rest) : undefined;
    return value === undefined ? notFound : { status: 200, headers: { "content-type": "text/plain" }, body: value };
}

const notFound: Answer = { status: 404, body: "not found\n" };

function asTree(account: Account, id: string, droplet: Droplet): Tree {
    const { hostname, region, interfaces, dns, user_data: userData } = asJson(account, id, droplet);
    const indexed = Object.entries(interfaces).map(([kind, all]) => [
        kind,
        Object.fromEntries(all.map((each, index) => [String(index), each as unknown as Tree])),
    ]);
    return {
        dns: { nameservers: dns.nameservers.join("\n") },
        hostname,
        id,
        interfaces: Object.fromEntries(indexed),
        region,
        tags: droplet.tags.join("\n"),
        ...(userData && { "user-data": userData }),
    };
}

function asJson({ resources }: Account, id: string, { name, region, vpc, userData = "", tags, ...at }: Droplet) {
    const range = resources.vpcs[vpc]?.ipRange ?? "";
    const gateway = range.replace(/\.\d+\/\d+$/, ".1");
    const address = (ip: string) => ({ ip_address: ip, netmask: maskOf(range), gateway });
    const mac = macAddress(at.address);
    return {
        droplet_id: Number(id),
        hostname: name,
        user_data: userData,
        region,
        interfaces: {
            ...(at.publicAddress && { public: [{ ipv4: address(at.publicAddress), mac, type: "public" }] }),
            private: [{ ipv4: address(at.address), mac, type: "private" }],
        },
        dns: { nameservers: [range.replace(/\.\d+\/\d+$/, ".2")] },
        tags,
    };
}

/** `255.255.255.0` */
function maskOf(range: string): string {
    const bits = Number(range.split("/")[1] ?? 24);
    const byte = (index: number) => 256 - 2 ** (8 - Math.min(8, Math.max(0, bits - 8 * index)));
    return [0, 1, 2, 3].map(byte).join(".");
}
