import { version } from "@pulumi/tls/package.json";
import { algorithmOf, parseKey } from "../../../clients/x509/keys";
import { type Provider, type Resource, serve } from "../protocol/serve";
import { certRequest } from "./cert-request";
import { locallySignedCert, selfSignedCert } from "./certificate-resource";
import { privateKey, publicForms } from "./private-key";

const RESOURCES: Readonly<Record<string, Resource>> = {
    "tls:index/privateKey:PrivateKey": privateKey,
    "tls:index/certRequest:CertRequest": certRequest,
    "tls:index/selfSignedCert:SelfSignedCert": selfSignedCert,
    "tls:index/locallySignedCert:LocallySignedCert": locallySignedCert,
};

const provider: Provider = {
    name: "tls",
    version,
    resource(type) {
        if (!RESOURCES[type]) throw new Error(`the stand-in for the tls provider has no resource ${type}`);
        return RESOURCES[type];
    },
    async invoke(token, args) {
        if (token !== "tls:index/getPublicKey:getPublicKey") {
            throw new Error(`the stand-in for the tls provider has no function ${token}`);
        }
        if (!args.privateKeyPem)
            throw new Error("privateKeyPem must be given, the stand-in does not read OpenSSH keys");
        const key = parseKey(String(args.privateKeyPem), "privateKeyPem");
        return { ...publicForms(key), algorithm: algorithmOf(key), privateKeyPem: args.privateKeyPem };
    },
};

void serve(provider);
