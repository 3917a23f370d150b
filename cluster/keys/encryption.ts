import { hkdfSync } from "node:crypto";
import { firstKeys, isSame, type KeyLists } from "./lists";

/** Stands for no key: values are stored in plain text. */
export const plain = "plain";

/** Whether kube-apiserver gets an encryption configuration at all. */
export function isEncrypting({ encryption }: KeyLists): boolean {
    return !isSame(encryption, firstKeys.encryption);
}

/** The key generations in a list. */
export function encryptionGenerations({ encryption }: KeyLists): number[] {
    return encryption.filter((each): each is number => each !== plain);
}

/** Derives a secretbox key (32 bytes in base64) from a private key that is used for nothing else. */
export function encryptionKey(privateKeyPem: string): string {
    return Buffer.from(hkdfSync("sha256", privateKeyPem, "", "tradewind encryption at rest", 32)).toString("base64");
}

/**
 * How kube-apiserver stores Secrets in etcd: it writes with the first key and reads with all of them.
 *
 * @param keys - by generation, as created by {@link encryptionKey}
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
