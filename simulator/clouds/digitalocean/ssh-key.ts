import { createHash } from "node:crypto";
import type { Properties } from "../../plugins/protocol/serve";
import { required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";

/** A public SSH key. Names need not be unique; keys must be. */
export const sshKey: Simulated<Account> = {
    inputs: {
        name: text("a text", /./, required),
        publicKey: text(
            "a public key of OpenSSH",
            /^\s*(ssh-(rsa|ed25519)|ecdsa-sha2-nistp\d+) AAAA[\w+/]+={0,2}(\s.*)?$/,
            required,
        ),
    },
    outputs: ["fingerprint"],
    async create(account, { name, publicKey }: Properties) {
        const fingerprint = fingerprintOf(String(publicKey));
        if (Object.values(account.sshKeys).some((each) => each.fingerprint === fingerprint)) {
            const call = "POST https://api.digitalocean.com/v2/account/keys";
            throw new Error(`${call}: 422 SSH Key is already in use on your account`);
        }
        const id = account.newId("sshKeys");
        account.put("sshKeys", id, { name: String(name), publicKey: String(publicKey), fingerprint });
        return { id, outputs: { fingerprint } };
    },
    async update(account, id, { name }) {
        account.change("sshKeys", id, (now) => ({ ...now, name: String(name) }));
        return undefined;
    },
    /** Droplets keep it. */
    async delete(account, id) {
        account.remove("sshKeys", id);
    },
};

/** MD5 of the key itself, in pairs of digits. */
function fingerprintOf(publicKey: string): string {
    const [, key = ""] = publicKey.trim().split(/\s+/);
    const hex = createHash("md5").update(Buffer.from(key, "base64")).digest("hex");
    return hex.match(/../g)!.join(":");
}
