// Tells the kubelet of a driver of volumes, in the place of csi-node-driver-registrar, whose module is not to be had.
//
// The kubelet finds a socket in a folder that it watches, asks it which driver it is of and where that is, and says what became of it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"google.golang.org/grpc"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"

	"tradewind/csi-stand-ins/driver"
)

var (
	address = flag.String("csi-address", "/run/csi/socket", "the driver's socket, here")
	onHost  = flag.String("kubelet-registration-path", "", "the driver's socket, as the kubelet finds it")
	watched = flag.String("plugin-registration-path", "/registration", "the folder that the kubelet watches, here")
)

func main() {
	flag.Parse()
	if err := register(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func register() error {
	if *onHost == "" {
		return errors.New("--kubelet-registration-path must be a path")
	}
	client, err := driver.Connect(*address)
	if err != nil {
		return err
	}
	name, err := driver.Name(client)
	if err != nil {
		return err
	}
	socket := filepath.Join(*watched, name+"-reg.sock")
	// Of one that was killed.
	if err := os.Remove(socket); err != nil && !os.IsNotExist(err) {
		return err
	}
	syscall.Umask(0o077)
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	registration.RegisterRegistrationServer(server, &registrar{name: name})
	go func() {
		ended := make(chan os.Signal, 1)
		signal.Notify(ended, syscall.SIGTERM)
		<-ended
		// Closes the listener, which removes its socket.
		server.Stop()
	}()
	fmt.Println("the kubelet may ask for", name)
	return server.Serve(listener)
}

type registrar struct {
	registration.UnimplementedRegistrationServer
	name string
}

func (r *registrar) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return &registration.PluginInfo{
		Type:              registration.CSIPlugin,
		Name:              r.name,
		Endpoint:          *onHost,
		SupportedVersions: []string{"1.0.0"},
	}, nil
}

func (r *registrar) NotifyRegistrationStatus(
	_ context.Context, status *registration.RegistrationStatus,
) (*registration.RegistrationStatusResponse, error) {
	if !status.GetPluginRegistered() {
		fmt.Fprintln(os.Stderr, "the kubelet refused", r.name+":", status.GetError())
		os.Exit(1)
	}
	fmt.Println("the kubelet has", r.name)
	return &registration.RegistrationStatusResponse{}, nil
}
