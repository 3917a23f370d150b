import { hkdfSync } from "node:crypto";
import { firstKeys, isSame, type KeyLists } from "./lists";

/** In the place of a key: what is written as it is. */
export const plain = "plain";

/** Whether kube-apiserver is told of encryption at all. */
export function isEncrypting({ encryption }: KeyLists): boolean {
    return !isSame(encryption, firstKeys.encryption);
}

/** The generations of a list that are keys. */
export function encryptionGenerations({ encryption }: KeyLists): number[] {
    return encryption.filter((each): each is number => each !== plain);
}

/** A key of secretbox, 32 bytes in base64, of a private key that is used for nothing else. */
export function encryptionKey(privateKeyPem: string): string {
    return Buffer.from(hkdfSync("sha256", privateKeyPem, "", "tradewind encryption at rest", 32)).toString("base64");
}

/**
 * How kube-apiserver keeps Secrets in etcd: written by the first of the list, read by each.
 *
 * @param keys - by generation, as {@link encryptionKey} makes them
 */
export function encryptionConfiguration({ encryption }: KeyLists, keys: Readonly<Record<number, string>>): object {
    return {
        apiVersion: "apiserver.config.k8s.io/v1",
        kind: "EncryptionConfiguration",
        resources: [
            {
                resources: ["secrets"],
                providers: encryption.map((each) =>
                    each === plain
                        ? { identity: {} }
                        : { secretbox: { keys: [{ name: `key-${each}`, secret: keys[each] ?? "" }] } },
                ),
            },
        ],
    };
}
