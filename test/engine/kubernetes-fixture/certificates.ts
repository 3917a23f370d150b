import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Creates a CA, a server certificate for the loopback address and a key for service accounts; returns their files. */
export function makeCertificates(
    folder: string,
): (user: string, group: string) => { certificate: string; key: string } {
    const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
    const key = (name: string) => openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", `${name}.key`);
    key("ca");
    openssl("req", "-x509", "-new", "-key", "ca.key", "-subj", "/CN=test", "-days", "1", "-out", "ca.crt");
    key("service-account");
    const sign = (name: string, subject: string, extensions: string) => {
        key(name);
        writeFileSync(join(folder, `${name}.ext`), extensions);
        openssl("req", "-new", "-key", `${name}.key`, "-subj", subject, "-out", `${name}.csr`);
        const by = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "1", "-extfile", `${name}.ext`];
        openssl("x509", "-req", "-in", `${name}.csr`, ...by, "-out", `${name}.crt`);
        return { certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
    };
    sign("server", "/CN=kube-apiserver", "subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth\n");
    return (user, group) => sign(user, `/O=${group}/CN=${user}`, "extendedKeyUsage=clientAuth\n");
}
