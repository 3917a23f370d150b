/** Path in Flatcar and Debian. Without the file, Node.js ignores it. */
const place = { folder: "/etc/ssl/certs", file: "/etc/ssl/certs/ca-certificates.crt" };

const name = "authorities";

/** What a Node.js container needs to trust the CAs of its node in addition to those of Node.js. */
export const nodeAuthorities = {
    env: { name: "NODE_EXTRA_CA_CERTS", value: place.file },
    mount: { name, mountPath: place.folder, readOnly: true },
    volume: { name, hostPath: { path: place.folder, type: "DirectoryOrCreate" } },
};
