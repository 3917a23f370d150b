/** Outputs of the providers of every cluster, distinguished by name. */
export function providerOutputs({ type, name }: { type: string; name: string }): object {
    switch (type) {
        case "tls:index/privateKey:PrivateKey":
            return { privateKeyPem: `${name} key`, privateKeyPemPkcs8: `${name} key`, publicKeyPem: `${name} public` };
        case "tls:index/certRequest:CertRequest":
            return { certRequestPem: `${name} request` };
        case "command:local:Command":
            return { stdout: "2030-01-01T00:00:00Z" };
        default:
            return type.startsWith("tls:") ? { certPem: `${name} cert`, validityEndTime: "2030-01-01T00:00:00Z" } : {};
    }
}
