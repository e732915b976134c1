"""Other people's engines as processes and connections: started, limited, guarded, kept and killed."""
