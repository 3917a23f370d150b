/** As Flatcar and Debian have them. Node.js goes without where there is no such file. */
const place = { folder: "/etc/ssl/certs", file: "/etc/ssl/certs/ca-certificates.crt" };

const name = "authorities";

/** What a container of Node.js needs to trust whom its node trusts, beside those whom Node.js does. */
export const nodeAuthorities = {
    env: { name: "NODE_EXTRA_CA_CERTS", value: place.file },
    mount: { name, mountPath: place.folder, readOnly: true },
    volume: { name, hostPath: { path: place.folder, type: "DirectoryOrCreate" } },
};
