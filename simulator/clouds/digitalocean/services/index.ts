import {
    type Answer,
    type Api,
    type Asked,
    type Caller,
    type CloudServices,
    isCaller,
    type Unsigned,
    type Who,
} from "../../services/service";
import { s3Answer } from "../../shared/s3/answer";
import { keptIn } from "../../shared/s3/kept";
import type { S3Action, Store } from "../../shared/s3/store";
import { problemOf, signatureOf } from "../../shared/signature";
import { Account } from "../account";
import { metadata } from "./metadata";

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
export const digitalOceanServices: CloudServices<Account> = {
    account: (path) => new Account(path),
    networks: ({ resources }) => Object.values(resources.vpcs).map(({ name }) => name),
    metadata,
    apis: [spaces],
    callerOf,
    work: [],
};
